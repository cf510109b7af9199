/** Runs processes on a machine that the caller supplies, with its own children (`@reins/simulation`). */

export type { RunSpec } from './pool/run-child.ts';
export { runnerFor } from './pool/runner-for.ts';
export type { ChildListener } from './pool/sandbox-child.ts';
export type { Child, SandboxMachine } from './pool/sandbox-machine.ts';
export { closed, type Tenant } from './pool/slots.ts';
export type { LoadMessage, ToChild, TurnMessage } from './protocol/messages.ts';
