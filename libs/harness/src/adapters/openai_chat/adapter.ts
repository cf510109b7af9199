import type {
  AdapterEventSink,
  AdapterSetting,
  HarnessAdapter,
  HarnessCapabilities,
  HarnessExecution,
  HarnessRun,
} from '../../contract.ts';
import { startTask } from '../../execution/task-execution.ts';
import { harnessHealth, probeProviders } from '../../providers/probe-providers.ts';
import { ChatLoop } from './chat-loop.ts';
import { FILE_TOOLS } from './file-tools.ts';
import type { ChatSettings } from './settings.ts';

const VERSION = '1';

/** What the loop can do, with any endpoint. */
export const CHAT_CAPABILITIES: HarnessCapabilities = {
  model: true,
  systemPrompt: true,
  toolSelection: true,
  builtinTools: FILE_TOOLS.map(({ name }) => name),
  callDecisions: true,
  mcp: 'http',
  resume: true,
  images: true,
  thinking: true,
  editsFiles: true,
};

export const CHAT_SETTINGS = {
  maxSteps: 'positive',
  maxOutputTokens: 'count',
  retries: 'count',
  baseDelayMs: 'count',
  maxDelayMs: 'count',
} as const satisfies Record<keyof ChatSettings, AdapterSetting>;

/** A built-in chat and tool loop for any endpoint with OpenAI's Chat Completions API. Needs no installation. */
export const openaiChatAdapter: HarnessAdapter = {
  runtimeId: 'openai_chat',
  capabilities: CHAT_CAPABILITIES,
  settings: CHAT_SETTINGS,
  probe: async (environment, deadlineMs) => harnessHealth(VERSION, await probeProviders(environment, deadlineMs)),
  start: (run, sink) => startChat('openai_chat', run, sink),
};

/** Starts the loop for a run of this runtime. */
export function startChat(runtimeId: string, run: HarnessRun, sink: AdapterEventSink): HarnessExecution {
  return startTask(runtimeId, run, sink, (parts) => {
    const loop = new ChatLoop(run, parts);
    return { run: () => loop.run(), usage: () => loop.usage };
  });
}
