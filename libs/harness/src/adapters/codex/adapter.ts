import type { HarnessAdapter, HarnessEnvironment, HarnessHealth } from '../../contract.ts';
import { ProcessExecution } from '../../execution/process-execution.ts';
import { harnessHealth, probeProviders } from '../../providers/probe-providers.ts';
import { CodexConversation } from './codex-conversation.ts';
import { probeExecutable } from './probe-executable.ts';
import { CODEX_TOOL_NAMES, NATIVE_TOOL_NAMES } from './tools.ts';

const NAMES = { id: 'codex', title: 'Codex' } as const;

/** OpenAI's Codex as a separate process, over the protocol of `codex app-server`. `reins harness install` installs it. */
export const codexAdapter: HarnessAdapter = {
  runtimeId: NAMES.id,
  capabilities: {
    model: true,
    systemPrompt: true,
    toolSelection: true,
    builtinTools: CODEX_TOOL_NAMES,
    nativeToolNames: NATIVE_TOOL_NAMES,
    mcp: 'http',
    resume: true,
    images: true,
    thinking: true,
    editsFiles: true,
  },
  settings: { command: 'text', retries: 'count', contextWindow: 'positive' },
  probe,
  start: (run, sink) => new ProcessExecution(NAMES, run, sink, (execution) => new CodexConversation(run, execution)),
};

async function probe(environment: HarnessEnvironment, deadlineMs: number): Promise<HarnessHealth> {
  const [{ version, failure }, providers] = await Promise.all([
    probeExecutable(environment, deadlineMs),
    probeProviders(environment, deadlineMs),
  ]);
  return harnessHealth(version, providers, failure);
}
