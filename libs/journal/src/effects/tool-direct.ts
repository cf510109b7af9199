import type { EffectKind } from './effect-kind.ts';
import { WORKER_LIMITS } from './limits.ts';

/** Calls one tool on a host. */
export const toolDirect = {
  facts: {
    requested: 'runtime.tool.direct.requested',
    started: 'runtime.tool.direct.started',
    completed: 'runtime.tool.direct.completed',
    failed: 'runtime.tool.direct.failed',
  },
  identity: ['toolId'],
  failsWhenCancelled: true,
  resolvedBy: 'worker',
  limits: WORKER_LIMITS,
  deadline: 'worker',
  stop: 'host',
} as const satisfies EffectKind;
