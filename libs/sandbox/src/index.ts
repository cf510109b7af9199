/**
 * Runs authored processes (`path#export` in a workspace), each in a child process that can neither reach nor change anything outside of
 * itself. Computes the identity of their code.
 */

export { probe, type Wall } from '@reins/os-sandbox';
export { keptProcess } from './graph/kept-process.ts';
export { locateModule } from './graph/locate-module.ts';
export {
  type ModuleEntry,
  type ModuleGraph,
  moduleGraphHash,
  type ReadProcess,
  readProcess,
} from './graph/module-graph.ts';
export type { WallRule } from './pool/sandbox-machine.ts';
export { type AuthoredProcess, Sandbox, type SandboxOptions } from './sandbox.ts';
