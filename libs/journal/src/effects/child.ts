import { isObject, isText, isToken } from '@reins/contracts';
import type { EffectKind } from './effect-kind.ts';
import { WAIT_LIMITS } from './limits.ts';

/** Another run, which has deadlines of its own. */
export const child = {
  facts: { started: 'runtime.child.started', completed: 'runtime.child.completed', failed: 'runtime.child.failed' },
  identity: ['label', 'childRequestId'],
  failsWhenCancelled: true,
  resolvedBy: 'child',
  limits: WAIT_LIMITS,
  deadline: 'run',
  suspension: {
    reason: 'child',
    message: ({ childRequestId }) => `child run ${String(childRequestId)}`,
    resumedBecause: () => 'the child run ended',
    directiveExtra: ({ effectId, attempt, request }) => ({
      effect_id: effectId,
      attempt,
      child_request_id: request.childRequestId,
    }),
  },
  stop: 'child',
  requestRules: {
    process: ['must be a non-empty string', isText],
    childRequestId: ['must be a run id: 1 to 64 letters, digits, "_" or "-"', isToken],
  },
  call: 'use ctx.child with a process and its inputs',
  requestForAttempt: (request, attempt) => ({
    ...request,
    childRequestId: `${request.childRequestId}_${attempt}`,
  }),
  completedValue: (value) => (isObject(value) && 'output' in value ? value : { output: value }),
} as const satisfies EffectKind;
