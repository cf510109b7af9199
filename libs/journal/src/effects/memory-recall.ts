import type { EffectKind } from './effect-kind.ts';
import { WORKER_LIMITS } from './limits.ts';

/** Reads records of the memory. */
export const memoryRecall = {
  facts: { requested: 'runtime.memory.recall.requested', completed: 'runtime.memory.recall.completed' },
  identity: ['namespace'],
  resolvedBy: 'worker',
  limits: WORKER_LIMITS,
  deadline: 'worker',
} as const satisfies EffectKind;
