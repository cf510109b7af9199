import type { EffectKind } from './effect-kind.ts';
import { WORKER_LIMITS } from './limits.ts';

/** A function of the process, which the owner of the run calls. The code that calls it enforces its timeout. */
export const step = {
  facts: {},
  identity: [],
  resolvedBy: 'owner',
  limits: WORKER_LIMITS,
  deadline: 'none',
} as const satisfies EffectKind;
