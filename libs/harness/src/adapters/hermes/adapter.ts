import type { HarnessAdapter, HarnessEnvironment, HarnessHealth } from '../../contract.ts';
import { ProcessExecution } from '../../execution/process-execution.ts';
import { harnessHealth, probeProviders } from '../../providers/probe-providers.ts';
import { HermesConversation } from './hermes-conversation.ts';
import { probeExecutable } from './probe-executable.ts';
import { HERMES_TOOL_NAMES, NATIVE_TOOL_NAMES } from './tools.ts';

const NAMES = { id: 'hermes', title: 'Hermes' } as const;

/** Hermes Agent as a separate process, over the Agent Client Protocol, with a relay in it. */
export const hermesAdapter: HarnessAdapter = {
  runtimeId: NAMES.id,
  capabilities: {
    model: true,
    systemPrompt: true,
    toolSelection: true,
    builtinTools: HERMES_TOOL_NAMES,
    nativeToolNames: NATIVE_TOOL_NAMES,
    mcp: 'http',
    resume: true,
    images: true,
    thinking: true,
    editsFiles: true,
  },
  settings: { command: 'text', retries: 'count', contextWindow: 'positive' },
  probe,
  start: (run, sink) => new ProcessExecution(NAMES, run, sink, (execution) => new HermesConversation(run, execution)),
};

async function probe(environment: HarnessEnvironment, deadlineMs: number): Promise<HarnessHealth> {
  const [{ version, failure }, providers] = await Promise.all([
    probeExecutable(environment, deadlineMs),
    probeProviders(environment, deadlineMs),
  ]);
  return harnessHealth(version, providers, failure);
}
