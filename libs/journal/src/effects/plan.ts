import type { EffectKind } from './effect-kind.ts';
import { WORKER_LIMITS } from './limits.ts';

/** Compiles the workspace. */
export const plan = {
  facts: {
    requested: 'runtime.plan.requested',
    completed: 'runtime.plan.compiled',
    failed: 'runtime.plan.rejected',
  },
  identity: [],
  resolvedBy: 'worker',
  limits: WORKER_LIMITS,
  deadline: 'worker',
} as const satisfies EffectKind;
