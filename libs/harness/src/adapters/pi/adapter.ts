import type { HarnessAdapter, HarnessEnvironment, HarnessHealth } from '../../contract.ts';
import { ProcessExecution } from '../../execution/process-execution.ts';
import { harnessHealth, probeProviders } from '../../providers/probe-providers.ts';
import { NATIVE_TOOL_NAMES, PI_TOOL_NAMES } from './agent-dir.ts';
import { PiConversation } from './pi-conversation.ts';
import { probeExecutable } from './probe-executable.ts';

const NAMES = { id: 'pi', title: 'pi' } as const;

/** The pi coding agent as a separate process in RPC mode. pi is a dependency of this package. */
export const piAdapter: HarnessAdapter = {
  runtimeId: NAMES.id,
  capabilities: {
    model: true,
    systemPrompt: true,
    toolSelection: true,
    builtinTools: PI_TOOL_NAMES,
    nativeToolNames: NATIVE_TOOL_NAMES,
    callDecisions: true,
    mcp: 'http',
    resume: true,
    images: true,
    thinking: true,
    editsFiles: true,
  },
  settings: {
    command: 'text',
    retries: 'count',
    baseDelayMs: 'count',
    contextWindow: 'positive',
    maxOutputTokens: 'positive',
  },
  probe,
  start: (run, sink) => new ProcessExecution(NAMES, run, sink, (execution) => new PiConversation(run, execution)),
};

async function probe(environment: HarnessEnvironment, deadlineMs: number): Promise<HarnessHealth> {
  const [{ version, failure }, providers] = await Promise.all([
    probeExecutable(environment, deadlineMs),
    probeProviders(environment, deadlineMs),
  ]);
  return harnessHealth(version, providers, failure);
}
