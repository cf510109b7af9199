import type { EffectKind } from './effect-kind.ts';
import { WORKER_LIMITS } from './limits.ts';

/** Runs a workflow of a framework on a host. */
export const workflow = {
  facts: {
    requested: 'runtime.workflow.requested',
    started: 'runtime.workflow.started',
    completed: 'runtime.workflow.completed',
    failed: 'runtime.workflow.failed',
  },
  identity: ['workflowId', 'adapter'],
  failsWhenCancelled: true,
  resolvedBy: 'worker',
  limits: WORKER_LIMITS,
  deadline: 'worker',
  stop: 'host',
} as const satisfies EffectKind;
