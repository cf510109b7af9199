import type { EventOf, EventType } from '@reins/contracts';

/** The event types of an effect kind's facts. A kind has no fact for a transition whose member is absent. */
export interface EffectKind {
  readonly requested?: EventType;
  readonly claimed?: EventType;
  readonly started?: EventType;
  readonly completed?: EventType;
  readonly failed?: EventType;
  readonly cancelled?: EventType;
  /** The reason for which the run is suspended while it waits for the effect. */
  readonly waiting?: EventOf<'runtime.request.waiting'>['reason'];
}

/** Every kind that a built-in or authored process can request. The owner itself runs a `step`, which has no facts. */
export const EFFECT_KINDS = {
  plan: { requested: 'runtime.plan.requested', completed: 'runtime.plan.compiled', failed: 'runtime.plan.rejected' },
  prepare: {
    requested: 'runtime.prepare.requested',
    completed: 'runtime.prepare.completed',
    failed: 'runtime.prepare.failed',
  },
  stage: {
    requested: 'runtime.stage.requested',
    claimed: 'runtime.stage.claimed',
    started: 'runtime.stage.started',
    completed: 'runtime.stage.completed',
    failed: 'runtime.stage.failed',
    cancelled: 'runtime.stage.cancelled',
  },
  'memory.recall': { requested: 'runtime.memory.recall.requested', completed: 'runtime.memory.recall.completed' },
  task: { requested: 'runtime.task.requested', completed: 'runtime.task.completed', failed: 'runtime.task.failed' },
  'tool.direct': {
    requested: 'runtime.tool.direct.requested',
    started: 'runtime.tool.direct.started',
    completed: 'runtime.tool.direct.completed',
    failed: 'runtime.tool.direct.failed',
  },
  workflow: {
    requested: 'runtime.workflow.requested',
    started: 'runtime.workflow.started',
    completed: 'runtime.workflow.completed',
    failed: 'runtime.workflow.failed',
  },
  child: {
    started: 'runtime.child.started',
    completed: 'runtime.child.completed',
    failed: 'runtime.child.failed',
    waiting: 'child',
  },
  breakpoint: { requested: 'runtime.approval.requested', waiting: 'breakpoint' },
  approval: { requested: 'runtime.approval.requested', waiting: 'approval' },
  sleep: { waiting: 'timer' },
  signal: { waiting: 'signal' },
  step: {},
} as const satisfies Record<string, EffectKind>;

export type EffectKindName = keyof typeof EFFECT_KINDS;

export function effectKind(name: string): EffectKind {
  return Object.hasOwn(EFFECT_KINDS, name) ? EFFECT_KINDS[name as EffectKindName] : {};
}
