import type { HarnessAdapter, HarnessEnvironment, HarnessHealth } from '../../contract.ts';
import { ProcessExecution } from '../../execution/process-execution.ts';
import { harnessHealth, probeProviders } from '../../providers/probe-providers.ts';
import { ClaudeConversation } from './claude-conversation.ts';
import { probeExecutable } from './probe-executable.ts';
import { CLAUDE_TOOL_NAMES, NATIVE_TOOL_NAMES } from './tools.ts';

const NAMES = { id: 'claude_code', title: 'Claude Code' } as const;

/** Claude Code as a separate process, over its stream of JSON lines. Users install it: it is proprietary. */
export const claudeCodeAdapter: HarnessAdapter = {
  runtimeId: NAMES.id,
  capabilities: {
    model: true,
    systemPrompt: true,
    toolSelection: true,
    builtinTools: CLAUDE_TOOL_NAMES,
    nativeToolNames: NATIVE_TOOL_NAMES,
    mcp: 'http',
    resume: true,
    images: true,
    thinking: true,
    editsFiles: true,
  },
  settings: { command: 'text', retries: 'count' },
  probe,
  start: (run, sink) => new ProcessExecution(NAMES, run, sink, (execution) => new ClaudeConversation(run, execution)),
};

async function probe(environment: HarnessEnvironment, deadlineMs: number): Promise<HarnessHealth> {
  const [{ version, failure }, providers] = await Promise.all([
    probeExecutable(environment, deadlineMs),
    probeProviders(environment, deadlineMs),
  ]);
  return harnessHealth(version, providers, failure);
}
