/** Runs the control bus over a simulated bus, clock and store, with faults that follow from a seed, and checks what was promised. */
export type { Mutation } from './machine/replica.ts';
export { MUTANTS } from './mutants.ts';
export { type SimulationOptions, type SimulationResult, simulate } from './simulate.ts';
