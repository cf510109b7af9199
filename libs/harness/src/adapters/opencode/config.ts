import type { JsonObject } from '@reins/contracts';
import type { HarnessRun } from '../../contract.ts';
import { thinkingOf } from '../../execution/thinking.ts';
import { SECRET_PREFIX } from './relay-settings.ts';
import { serverName, toolPermissions } from './tools.ts';

/** The name of the run's endpoint, and that of its agent, in the configuration of OpenCode. */
export const PROVIDER = 'reins';
export const AGENT = 'reins';
/** The window of a model about which nothing is known, and what it can answer at most. The relay sends no maximum. */
const DEFAULT_CONTEXT_WINDOW = 128_000;
const DEFAULT_OUTPUT = 8000;

/** A value that may be secret, and the variable that passes it. */
interface SecretHeader {
  readonly name: string;
  readonly value: string;
  readonly variable: string;
}

/** The configuration of OpenCode for a run. It contains no secrets: the variables of `secretVariables` have them. */
export function opencodeConfig(run: HarnessRun, relay: string): JsonObject {
  const { endpoint, modelId, mcpServers, deadlines } = run;
  const model = `${PROVIDER}/${modelId}`;
  const served = Object.fromEntries(mcpServers.map((_, index) => [`${serverName(index)}_*`, 'allow']));
  const allowed = Object.fromEntries(toolPermissions(run).map((name) => [name, 'allow']));
  return {
    ...{ autoupdate: false, share: 'disabled', snapshot: false, lsp: false, formatter: false },
    model,
    small_model: model,
    enabled_providers: [PROVIDER],
    default_agent: AGENT,
    plugin: [relay],
    provider: {
      [PROVIDER]: {
        npm: '@ai-sdk/openai-compatible',
        options: {
          baseURL: endpoint.baseUrl,
          apiKey: `{env:${SECRET_PREFIX}KEY}`,
          headers: headersTable(modelHeaders(run)),
          timeout: deadlines.totalMs,
        },
        models: { [modelId]: modelOf(run) },
      },
    },
    agent: {
      [AGENT]: {
        mode: 'primary',
        prompt: run.systemPrompt,
        // The last rule that matches applies. The relay decides about each call.
        permission: { '*': 'deny', external_directory: 'allow', doom_loop: 'allow', ...allowed, ...served },
      },
    },
    mcp: Object.fromEntries(mcpServers.map((_, index) => [serverName(index), serverOf(run, index)])),
  };
}

/** The variables with the secrets of a run. The relay removes them before a tool can start a process. */
export function secretVariables(run: HarnessRun): Record<string, string> {
  const headers = [...modelHeaders(run), ...run.mcpServers.flatMap((_, index) => toolHeaders(run, index))];
  return {
    [`${SECRET_PREFIX}KEY`]: run.endpoint.apiKey || 'none',
    ...Object.fromEntries(headers.map(({ variable, value }) => [variable, value])),
  };
}

function modelOf(run: HarnessRun): JsonObject {
  const { model = {}, modelId, environment } = run;
  const context = positive(environment.settings.contextWindow) ?? model.contextWindow ?? DEFAULT_CONTEXT_WINDOW;
  const effort = effortOf(run);
  return {
    name: modelId,
    tool_call: true,
    reasoning: true,
    attachment: model.images !== false,
    modalities: { input: model.images === false ? ['text'] : ['text', 'image'], output: ['text'] },
    limit: { context, output: model.maxOutputTokens ?? DEFAULT_OUTPUT },
    options: effort === undefined ? {} : { reasoningEffort: effort },
  };
}

/** What the model is asked about thinking: nothing, unless the request asks for something. */
function effortOf(run: HarnessRun): string | undefined {
  const sent = thinkingOf(run);
  if (sent.kind === 'effort') return sent.value ?? sent.level;
  if (sent.kind === 'budget') return sent.level;
  return sent.kind === 'off' ? (sent.value ?? 'none') : undefined;
}

const serverOf = (run: HarnessRun, index: number): JsonObject => ({
  type: 'remote',
  url: run.mcpServers[index]?.url ?? '',
  headers: headersTable(toolHeaders(run, index)),
  oauth: false,
  timeout: run.deadlines.totalMs,
});

const modelHeaders = ({ endpoint }: HarnessRun): SecretHeader[] =>
  headersOf(endpoint.headers ?? {}, `${SECRET_PREFIX}MODEL`);

const toolHeaders = ({ mcpServers }: HarnessRun, index: number): SecretHeader[] =>
  headersOf(mcpServers[index]?.headers ?? {}, `${SECRET_PREFIX}TOOLS_${index}`);

const headersOf = (headers: Readonly<Record<string, string>>, prefix: string): SecretHeader[] =>
  Object.entries(headers).map(([name, value], index) => ({ name, value, variable: `${prefix}_${index}` }));

const headersTable = (headers: readonly SecretHeader[]): JsonObject =>
  Object.fromEntries(headers.map(({ name, variable }) => [name, `{env:${variable}}`]));

const positive = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : undefined;
