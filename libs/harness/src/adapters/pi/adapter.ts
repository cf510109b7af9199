import type { HarnessAdapter, HarnessEnvironment, HarnessHealth } from '../../contract.ts';
import { PI_TOOL_NAMES } from './agent-dir.ts';
import { piCommand, piVersion } from './command.ts';
import { PiExecution } from './pi-execution.ts';

/** The pi coding agent as a separate process in RPC mode. pi is a dependency of this package. */
export const piAdapter: HarnessAdapter = {
  runtimeId: 'pi',
  capabilities: {
    model: true,
    systemPrompt: true,
    toolSelection: true,
    builtinTools: PI_TOOL_NAMES,
    mcp: 'http',
    resume: true,
    images: true,
    thinking: true,
    editsFiles: true,
  },
  probe,
  start: (run, sink) => new PiExecution(run, sink),
};

async function probe({ settings, path }: HarnessEnvironment, deadlineMs: number): Promise<HarnessHealth> {
  try {
    return { healthy: true, version: await piVersion(piCommand(settings), path, deadlineMs) };
  } catch (error) {
    const reason = `pi does not start: ${(error as Error).message}`;
    const hint = 'run `npm install`, or set harness.pi.command to an installed pi';
    return { healthy: false, version: '', reason, hint };
  }
}
