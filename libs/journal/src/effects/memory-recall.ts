import type { JsonObject } from '@reins/contracts';
import { fact } from '../facts/fact-draft.ts';
import type { EffectState, RunState } from '../state/run-state.ts';
import type { EffectKind } from './effect-kind.ts';
import { WORKER_LIMITS } from './limits.ts';

/** Reads records of the memory. */
export const memoryRecall = {
  facts: {
    requested: 'runtime.memory.recall.requested',
    completed: 'runtime.memory.recall.completed',
    failed: 'runtime.memory.recall.failed',
  },
  identity: ['namespace'],
  actsForUser: true,
  requestedFields: ({ attempt, limits }, at) => ({
    attempt,
    deadline: new Date(Date.parse(at) + limits.runForMs).toISOString(),
  }),
  before: (state, effect) => (isFirstOfHook(state, effect) ? [hookFact(effect.request)] : []),
  resolvedBy: 'worker',
  limits: WORKER_LIMITS,
  // A run does not wait for a worker that is late: it continues without.
  deadline: 'run',
} as const satisfies EffectKind;

/** A hook recalls from several namespaces, with an effect for each. */
function isFirstOfHook({ effects }: RunState, { effectId, kind, request }: EffectState): boolean {
  if (request.hook === undefined) return false;
  const first = effects.values().find((each) => each.kind === kind && each.request.hook === request.hook);
  return first?.effectId === effectId;
}

const hookFact = ({ hook }: JsonObject) => fact('runtime.memory.lifecycle', { hook });
