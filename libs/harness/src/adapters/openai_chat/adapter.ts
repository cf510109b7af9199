import type {
  AdapterEventSink,
  HarnessAdapter,
  HarnessCapabilities,
  HarnessEnvironment,
  HarnessExecution,
  HarnessHealth,
  HarnessRun,
  ModelEndpoint,
} from '../../contract.ts';
import { startTask } from '../../execution/task-execution.ts';
import { ChatLoop } from './chat-loop.ts';
import { compatibleBase, headersOf } from './compatible-endpoint.ts';
import { FILE_TOOLS } from './file-tools.ts';

const VERSION = '1';

const CAPABILITIES: HarnessCapabilities = {
  model: true,
  systemPrompt: true,
  toolSelection: true,
  builtinTools: FILE_TOOLS.map(({ name }) => name),
  mcp: 'http',
  resume: true,
  images: true,
  thinking: true,
  editsFiles: true,
};

/** A built-in chat and tool loop for any endpoint with OpenAI's Chat Completions API. Needs no installation. */
export const openaiChatAdapter: HarnessAdapter = {
  runtimeId: 'openai_chat',
  capabilities: CAPABILITIES,
  probe,
  start,
};

function start(run: HarnessRun, sink: AdapterEventSink): HarnessExecution {
  return startTask('openai_chat', run, sink, (parts) => {
    const loop = new ChatLoop(run, parts);
    return { run: () => loop.run(), usage: () => loop.usage };
  });
}

/** Healthy when at least one configured endpoint responds. Which endpoint a run needs is known only when it starts. */
async function probe({ providers }: HarnessEnvironment, deadlineMs: number): Promise<HarnessHealth> {
  const endpoints = Object.entries(providers);
  if (endpoints.length === 0) {
    const hint = 'configure a provider (providers.<id>)';
    return { healthy: false, version: VERSION, reason: 'no model endpoint is configured', hint };
  }
  const checks = await Promise.all(endpoints.map(([id, endpoint]) => unavailableReason(id, endpoint, deadlineMs)));
  const reasons = checks.filter((reason) => reason !== undefined);
  if (reasons.length < endpoints.length) return { healthy: true, version: VERSION };
  return {
    healthy: false,
    version: VERSION,
    reason: reasons.join('; '),
    hint: 'check the addresses and keys of the providers',
  };
}

async function unavailableReason(id: string, endpoint: ModelEndpoint, deadlineMs: number): Promise<string | undefined> {
  try {
    const url = `${compatibleBase(endpoint)}/models`;
    const response = await fetch(url, { headers: headersOf(endpoint), signal: AbortSignal.timeout(deadlineMs) });
    await response.body?.cancel();
    return response.status === 401 || response.status === 403 ? `${id} rejected its API key` : undefined;
  } catch {
    return `${id} cannot be reached at ${endpoint.baseUrl}`;
  }
}
