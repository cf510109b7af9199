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

/**
 * The kinds that a process can request with `ctx.effect`. A step is not one of them: its work is a function of the
 * process.
 */
export const REQUEST_KINDS = Object.keys(EFFECT_KINDS).filter((kind) => kind !== 'step') as readonly EffectKindName[];

/** Fields that the run adds to every fact, so a request must not have them. */
const RUN_FIELDS = { requestId: 'run', sessionId: 'session', agentId: 'agent', workspaceId: 'workspace' };

const AT = '2026-01-01T00:00:00.000Z';

type Rule = readonly [requirement: string, isValid: (value: JsonValue | undefined) => boolean];

const TEXT: Rule = ['must be a non-empty string', isText];
const TIME: Rule = ['must be a time such as 2026-01-31T12:00:00.000Z', isTime];

/** The fields of the kinds that have no requested fact. */
const FIELD_RULES: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  child: { process: TEXT, childRequestId: ['must be a run id: 1 to 64 letters, digits, "_" or "-"', isToken] },
  sleep: { expiresAt: TIME },
  signal: { name: TEXT, expiresAt: [TIME[0], (value) => value === undefined || isTime(value)] },
};

function isTime(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}

/**
 * Validates a request of a kind in `REQUEST_KINDS` against the schema of its fact.
 * @returns the problems; empty when the request is valid
 */
export function problemsOfRequest(kind: string, request: JsonObject, limits: Limits): Problem[] {
  if (!isObject(request)) return [{ code: 'message_invalid', message: 'the request must be an object', path: '' }];
  const present = ['type', ...Object.keys(RUN_FIELDS)].filter((name) => Object.hasOwn(request, name));
  const reserved = present.map((path) => problem(path, 'is set by the run and must not be in the request'));
  const { requested: type } = effectKind(kind);
  if (!type) return [...reserved, ...fieldProblems(FIELD_RULES[kind] ?? {}, request)];
  const fields = requestFields({ effectId: 'effect', attempt: 1, kind, limits, request }, AT);
  return [...reserved, ...problemsOfEvent({ ...fields, type, ...RUN_FIELDS })];
}

function fieldProblems(rules: Readonly<Record<string, Rule>>, request: JsonObject): Problem[] {
  return Object.entries(rules).flatMap(([path, [requirement, isValid]]) =>
    isValid(request[path]) ? [] : problem(path, requirement),
  );
}

const problem = (path: string, requirement: string): Problem => ({
  code: 'message_invalid',
  message: `${path} ${requirement}`,
  path,
});
