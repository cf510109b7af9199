import type { ProcessRunner } from '@reins/replay';
import type { RunSpec } from './run-child.ts';
import { SandboxedRun } from './sandboxed-run.ts';

/** A runner that runs a process in child processes. */
export const runnerFor = (spec: RunSpec): ProcessRunner => ({
  id: spec.id,
  codeHash: spec.graph.hash,
  start: async (options) => new SandboxedRun(spec, options),
  replay: async (options) => {
    const running = new SandboxedRun(spec, options);
    return { running, turn: await running.replay(options) };
  },
});
