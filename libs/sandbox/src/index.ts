/**
 * Runs authored processes (`path#export` in a workspace), each in an isolated child process. Computes the identity of
 * their code.
 */

export { type Isolation, networkLimit, probe } from '@reins/os-sandbox';
export { keptProcess } from './graph/kept-process.ts';
export { locateModule } from './graph/locate-module.ts';
export {
  type ModuleEntry,
  type ModuleGraph,
  type ReadProcess,
  readProcess,
} from './graph/module-graph.ts';
export type { IsolationRule } from './pool/sandbox-machine.ts';
export { type AuthoredProcess, Sandbox, type SandboxOptions } from './sandbox.ts';
