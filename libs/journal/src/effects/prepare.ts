import type { EffectKind } from './effect-kind.ts';
import { WORKER_LIMITS } from './limits.ts';

/** Prepares the run of a stage. */
export const prepare = {
  facts: {
    requested: 'runtime.prepare.requested',
    completed: 'runtime.prepare.completed',
    failed: 'runtime.prepare.failed',
  },
  identity: [],
  resolvedBy: 'worker',
  limits: WORKER_LIMITS,
  deadline: 'worker',
  stageWork: 'preparation',
} as const satisfies EffectKind;
