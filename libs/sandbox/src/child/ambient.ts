import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { getActiveProcessContext, SeededRandom } from '@reins/replay';
import { ambient } from './refusals.ts';

/**
 * What the code of a process gets when it asks the machine and not its context: within a process what the context says, within a step
 * the truth, and while modules are loaded the time of the run's first entry.
 */
const step = new AsyncLocalStorage<true>();
const { now: machineTime } = Date;
const { random: machineRandom } = Math;
let first = 0;
let drawn = new SeededRandom('');

/** Does a step's work: its result is recorded, so the machine may be asked. */
export function withinStep<T>(work: () => T): T {
  return step.run(true, work);
}

export const isWithinStep = (): boolean => step.getStore() === true;

/** @param at the time of the run's first entry · @param runId seeds what modules draw while they are loaded */
export function begins(at: number, runId: string): void {
  first = at;
  drawn = new SeededRandom(`${runId}\nmodules`);
}

/** Milliseconds since 1970. */
export function clock(): number {
  return isWithinStep() ? machineTime() : (getActiveProcessContext()?.now().getTime() ?? first);
}

/** The time of the run's first entry, in milliseconds since 1970. */
export const beginning = (): number => first;

/** From 0 to 1. */
export function random(): number {
  return isWithinStep() ? machineRandom() : (getActiveProcessContext()?.random() ?? drawn.number());
}

/** A version 4 UUID. */
export function uuid(): string {
  return isWithinStep() ? randomUUID() : (getActiveProcessContext()?.uuid() ?? drawn.uuid());
}

/** The function as it is within a step; elsewhere it refuses, and names what to use. */
export function onlyInSteps<T extends (...args: never[]) => unknown>(name: string, work: T, instead: string): T {
  const guarded = function (this: unknown, ...args: never[]): unknown {
    if (!isWithinStep()) throw ambient(name, instead);
    return work.apply(this, args);
  };
  return guarded as T;
}
