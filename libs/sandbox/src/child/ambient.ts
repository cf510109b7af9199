import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { getActiveProcessContext, SeededRandom } from '@reins/replay';
import { ambient } from './refusals.ts';

/** One attempt at a step. Everything that its work started ends with it. */
interface StepScope {
  isOpen: boolean;
  readonly onEnd: Set<() => void>;
}

/**
 * Time and random numbers for authored code. A process gets those of its context, a step gets those of the machine.
 * Modules get the time of the run's first entry while they are loaded.
 */
const step = new AsyncLocalStorage<StepScope>();
const { now: machineTime } = Date;
const { random: machineRandom } = Math;
let firstEntryAt = 0;
let moduleRandom = new SeededRandom('');

/** Runs the work of a step. Its result is recorded, so it may use the machine's clock and timers until it settles. */
export async function withinStep<T>(work: () => Promise<T>): Promise<T> {
  const scope: StepScope = { isOpen: true, onEnd: new Set() };
  try {
    return await step.run(scope, work);
  } finally {
    scope.isOpen = false;
    for (const end of scope.onEnd) end();
  }
}

const openScope = (): StepScope | undefined => {
  const scope = step.getStore();
  return scope?.isOpen ? scope : undefined;
};

export const isWithinStep = (): boolean => openScope() !== undefined;

/** Calls `end` when the step ends. @returns a function that removes the callback */
export function whenStepEnds(end: () => void): () => void {
  const scope = openScope();
  scope?.onEnd.add(end);
  return () => void scope?.onEnd.delete(end);
}

/**
 * @param at the time of the run's first entry
 * @param runId the seed of random numbers while modules are loaded
 */
export function setModuleClock(at: number, runId: string): void {
  firstEntryAt = at;
  moduleRandom = new SeededRandom(`${runId}\nmodules`);
}

/** Milliseconds since 1970. */
export function clock(): number {
  return isWithinStep() ? machineTime() : (getActiveProcessContext()?.now().getTime() ?? firstEntryAt);
}

/** The time of the run's first entry, in milliseconds since 1970. */
export const startOfRun = (): number => firstEntryAt;

/** A random number in [0, 1). */
export function random(): number {
  return isWithinStep() ? machineRandom() : (getActiveProcessContext()?.random() ?? moduleRandom.number());
}

/** A version 4 UUID. */
export function uuid(): string {
  return isWithinStep() ? randomUUID() : (getActiveProcessContext()?.uuid() ?? moduleRandom.uuid());
}

/**
 * Wraps a function so that it works only within a step. Elsewhere it throws and names the alternative. Its promises
 * never settle after the step.
 */
export function onlyInSteps<T extends (...args: never[]) => unknown>(name: string, work: T, instead: string): T {
  const guarded = function (this: unknown, ...args: never[]): unknown {
    const scope = openScope();
    if (!scope) throw ambient(name, instead);
    const result = work.apply(this, args);
    return result instanceof Promise ? whileOpen(scope, result) : result;
  };
  return guarded as T;
}

function whileOpen<T>(scope: StepScope, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    promise.then(
      (value) => scope.isOpen && resolve(value),
      (error: unknown) => scope.isOpen && reject(error),
    );
  });
}
