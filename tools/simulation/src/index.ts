/** Runs the control bus over a simulated bus, clock and store, with faults derived from a seed, and checks its guarantees. */
export type { Mutation } from './machine/replica.ts';
export { MUTANTS, POWER_MUTANTS } from './mutants.ts';
export { type SimulationOptions, type SimulationResult, simulate } from './simulate.ts';
