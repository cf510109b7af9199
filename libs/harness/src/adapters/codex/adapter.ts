import type { HarnessAdapter, HarnessEnvironment, HarnessHealth } from '../../contract.ts';
import { harnessHealth, probeProviders } from '../../providers/probe-providers.ts';
import { CodexExecution } from './codex-execution.ts';
import { probeExecutable } from './probe-executable.ts';
import { CODEX_TOOL_NAMES, NATIVE_TOOL_NAMES } from './tools.ts';

/** OpenAI's Codex as a separate process, over the protocol of `codex app-server`. `reins harness install` installs it. */
export const codexAdapter: HarnessAdapter = {
  runtimeId: 'codex',
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
  start: (run, sink) => new CodexExecution(run, sink),
};

async function probe(environment: HarnessEnvironment, deadlineMs: number): Promise<HarnessHealth> {
  const [{ version, failure }, providers] = await Promise.all([
    probeExecutable(environment, deadlineMs),
    probeProviders(environment, deadlineMs),
  ]);
  return harnessHealth(version, providers, failure);
}
