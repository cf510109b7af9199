import { isObject, type JsonObject, type Limits, type Problem, problemsOfEvent } from '@reins/contracts';
import type { RequestRule } from '../effects/effect-kind.ts';
import { effectKind } from '../effects/effect-kinds.ts';
import { requestFields } from './request-fields.ts';

/** Fields that the run adds to every fact, so a request must not have them. */
const RUN_FIELDS = { requestId: 'run', sessionId: 'session', agentId: 'agent', workspaceId: 'workspace' };

const AT = '2026-01-01T00:00:00.000Z';

/**
 * Validates a request of one of the `requestKinds` against the schema of its fact, or else the rules of its kind.
 * @returns the problems; empty when the request is valid
 */
export function problemsOfRequest(kind: string, request: JsonObject, limits: Limits): Problem[] {
  if (!isObject(request)) return [{ code: 'message_invalid', message: 'the request must be an object', path: '' }];
  const present = ['type', ...Object.keys(RUN_FIELDS)].filter((name) => Object.hasOwn(request, name));
  const reserved = present.map((path) => problem(path, 'is set by the run and must not be in the request'));
  const { facts, requestRules = {} } = effectKind(kind);
  const { requested: type } = facts;
  if (!type) return [...reserved, ...fieldProblems(requestRules, request)];
  const fields = requestFields({ effectId: 'effect', attempt: 1, kind, limits, request }, AT);
  return [...reserved, ...problemsOfEvent({ ...fields, type, ...RUN_FIELDS })];
}

function fieldProblems(rules: Readonly<Record<string, RequestRule>>, request: JsonObject): Problem[] {
  return Object.entries(rules).flatMap(([path, [requirement, isValid]]) =>
    isValid(request[path]) ? [] : problem(path, requirement),
  );
}

const problem = (path: string, requirement: string): Problem => ({
  code: 'message_invalid',
  message: `${path} ${requirement}`,
  path,
});
