import {
  isObject,
  isText,
  isToken,
  type JsonObject,
  type JsonValue,
  type Limits,
  type Problem,
  problemsOfEvent,
} from '@reins/contracts';
import { EFFECT_KINDS, type EffectKindName, effectKind } from './effect-kinds.ts';
import { requestFields } from './request-fields.ts';

/** The kinds that a process asks for by their fields. A step is none: its work is a function of the process. */
export const REQUEST_KINDS = Object.keys(EFFECT_KINDS).filter((kind) => kind !== 'step') as readonly EffectKindName[];

/** Whose run it is: said of every fact by the run, and by no request. */
const HEAD = { requestId: 'run', sessionId: 'session', agentId: 'agent', workspaceId: 'workspace' };

const AT = '2026-01-01T00:00:00.000Z';

type Rule = readonly [says: string, holds: (value: JsonValue | undefined) => boolean];

const TEXT: Rule = ['must be a string that is not blank', isText];
const TIME: Rule = ['must be a time such as 2026-01-31T12:00:00.000Z', isTime];

/** The fields of the kinds that no fact asks for. */
const OWN: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  child: { process: TEXT, childRequestId: ['must be the id of the run: 1 to 64 letters, digits, "_" or "-"', isToken] },
  sleep: { expiresAt: TIME },
  signal: { name: TEXT, expiresAt: [TIME[0], (value) => value === undefined || isTime(value)] },
};

function isTime(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}

/** Why a request of this kind, one of `REQUEST_KINDS`, cannot be: what the catalogue says of the fact that asks for it. Empty when it can. */
export function problemsOfRequest(kind: string, request: JsonObject, limits: Limits): Problem[] {
  if (!isObject(request)) return [{ code: 'message_invalid', message: 'it must be an object', path: '' }];
  const said = ['type', ...Object.keys(HEAD)].filter((name) => Object.hasOwn(request, name));
  const taken = said.map((path) => problem(path, 'is said by the run itself'));
  const { requested: type } = effectKind(kind);
  if (!type) return [...taken, ...problemsOfOwn(OWN[kind] ?? {}, request)];
  const fields = requestFields({ effectId: 'effect', attempt: 1, kind, limits, request }, AT);
  return [...taken, ...problemsOfEvent({ ...fields, type, ...HEAD })];
}

function problemsOfOwn(rules: Readonly<Record<string, Rule>>, request: JsonObject): Problem[] {
  return Object.entries(rules).flatMap(([path, [says, holds]]) => (holds(request[path]) ? [] : problem(path, says)));
}

const problem = (path: string, says: string): Problem => ({
  code: 'message_invalid',
  message: `${path} ${says}`,
  path,
});
