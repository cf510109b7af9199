import type { HarnessAdapter, HarnessEnvironment, HarnessHealth } from '../../contract.ts';
import { ProcessExecution } from '../../execution/process-execution.ts';
import { harnessHealth, probeProviders } from '../../providers/probe-providers.ts';
import { OpencodeConversation } from './opencode-conversation.ts';
import { probeExecutable } from './probe-executable.ts';
import { OPENCODE_TOOL_NAMES } from './tools.ts';

const NAMES = { id: 'opencode', title: 'OpenCode' } as const;

/** OpenCode as a separate process, with a relay in it. `reins harness install` installs it. */
export const opencodeAdapter: HarnessAdapter = {
  runtimeId: NAMES.id,
  capabilities: {
    model: true,
    systemPrompt: true,
    toolSelection: true,
    builtinTools: OPENCODE_TOOL_NAMES,
    mcp: 'http',
    resume: true,
    images: true,
    thinking: true,
    editsFiles: true,
  },
  settings: { command: 'text', retries: 'count', contextWindow: 'positive' },
  probe,
  start: (run, sink) => new ProcessExecution(NAMES, run, sink, (execution) => new OpencodeConversation(run, execution)),
};

async function probe(environment: HarnessEnvironment, deadlineMs: number): Promise<HarnessHealth> {
  const [{ version, failure }, providers] = await Promise.all([
    probeExecutable(environment, deadlineMs),
    probeProviders(environment, deadlineMs),
  ]);
  return harnessHealth(version, providers, failure);
}
