import { approval } from './approval.ts';
import { breakpoint } from './breakpoint.ts';
import { child } from './child.ts';
import type { EffectKind } from './effect-kind.ts';
import { WORKER_LIMITS } from './limits.ts';
import { memoryRecall } from './memory-recall.ts';
import { plan } from './plan.ts';
import { prepare } from './prepare.ts';
import { signal } from './signal.ts';
import { sleep } from './sleep.ts';
import { stage } from './stage.ts';
import { step } from './step.ts';
import { task } from './task.ts';
import { toolDirect } from './tool-direct.ts';
import { workflow } from './workflow.ts';

/** Every kind that a built-in or authored process can request. Each line has the name under which journals record it. */
export const EFFECT_KINDS = {
  plan,
  prepare,
  stage,
  'memory.recall': memoryRecall,
  task,
  'tool.direct': toolDirect,
  workflow,
  child,
  breakpoint,
  approval,
  sleep,
  signal,
  step,
} as const satisfies Record<string, EffectKind>;

export type EffectKindName = keyof typeof EFFECT_KINDS;

/** A kind of a journal that another build wrote: work without facts. */
const UNKNOWN: EffectKind = {
  facts: {},
  identity: [],
  resolvedBy: 'worker',
  limits: WORKER_LIMITS,
  deadline: 'worker',
};

export function effectKind(name: string): EffectKind {
  return Object.hasOwn(EFFECT_KINDS, name) ? EFFECT_KINDS[name as EffectKindName] : UNKNOWN;
}

/**
 * The kinds that a process can request with `ctx.effect`. The work of the others is a function of the process.
 */
export const requestKinds = (): string[] =>
  Object.keys(EFFECT_KINDS).filter((name) => effectKind(name).resolvedBy !== 'owner');
