import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '@reins/contracts';
import type { HarnessRun } from '../../contract.ts';
import { childEnvironment } from '../../process/environment.ts';
import { CALLS_VARIABLE, type CallSettings } from './call-extension.ts';
import { piModel, piThinkingLevel, piThinkingSettings } from './model.ts';
import type { ServedTools } from './served-tools.ts';

/** The name of the run's endpoint in pi's configuration. It differs from the names of pi's built-in providers. */
const PROVIDER = 'reins';
const KEY_VARIABLE = 'REINS_MODEL_KEY';
const BUILT_IN_TOOLS = ['read', 'bash', 'edit', 'write', 'grep', 'find', 'ls'];
/** The names of pi's tools by their name in requests, where they differ. */
export const NATIVE_TOOL_NAMES: Readonly<Record<string, string>> = { glob: 'find', list: 'ls' };
/** The extension that decides about every call, and the one that keeps the prompt of pi stable. */
const [CALLS, PROMPT] = ['call', 'prompt'].map((name) =>
  fileURLToPath(import.meta.resolve(`./${name}-extension.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`)),
) as [string, string];
/** Every name under which a run can request a built-in tool. */
export const PI_TOOL_NAMES = [...new Set([...Object.keys(NATIVE_TOOL_NAMES), ...BUILT_IN_TOOLS])];
const DEFAULT_TOOLS = ['read', 'bash', 'edit', 'write'];

/** The arguments of every run. pi loads nothing from the project: no context files, skills, extensions, templates or settings. */
export const FIXED_ARGUMENTS = [
  '--no-context-files',
  '--no-skills',
  '--no-extensions',
  '--no-prompt-templates',
  '--no-themes',
  '--no-approve',
];
/** The variables of every run. pi calls no other address than that of its model. */
export const PI_VARIABLES = { PI_OFFLINE: '1', PI_TELEMETRY: '0', PI_SKIP_VERSION_CHECK: '1' } as const;

/** The built-in tools that are available to a run. */
export function piTools({ tools }: HarnessRun): readonly string[] {
  if (tools === undefined) return DEFAULT_TOOLS;
  const requested = new Set(tools.map((name) => NATIVE_TOOL_NAMES[name] ?? name));
  return BUILT_IN_TOOLS.filter((name) => requested.has(name));
}

export const agentDirOf = (run: HarnessRun): string => join(run.homeDir, 'agent');
const promptFileOf = (run: HarnessRun): string => join(agentDirOf(run), 'system-prompt.md');

/** Writes the files that pi reads at startup: endpoint, settings, system prompt. They contain no secrets. */
export async function writeAgentDir(run: HarnessRun): Promise<void> {
  const folder = agentDirOf(run);
  await Promise.all([folder, run.sessionDir, join(run.homeDir, 'tmp')].map((path) => mkdir(path, { recursive: true })));
  await Promise.all([
    writeFile(join(folder, 'models.json'), JSON.stringify(modelsFile(run))),
    writeFile(join(folder, 'settings.json'), JSON.stringify(settingsFile(run))),
    writeFile(promptFileOf(run), run.systemPrompt),
  ]);
}

/** Builds pi's arguments: names and numbers only. Prompts use stdin or a file; keys use environment variables. */
export function piArguments(run: HarnessRun, served: ServedTools): string[] {
  const builtIn = piTools(run);
  const tools = [...builtIn, ...served.names];
  const level = piThinkingLevel(run);
  return [
    ...['--mode', 'rpc', '--provider', PROVIDER, '--model', run.modelId],
    ...['--session-dir', run.sessionDir, ...(run.harnessSessionId ? ['--session-id', run.harnessSessionId] : [])],
    ...['--thinking', level],
    ...(tools.length === 0 ? ['--no-tools'] : ['--tools', tools.join(',')]),
    ...(run.systemPrompt === '' ? [] : ['--system-prompt', promptFileOf(run)]),
    ...FIXED_ARGUMENTS,
    ...['--extension', PROMPT],
    ...(tools.length === 0 ? [] : ['--extension', CALLS]),
    ...served.args,
  ];
}

export function piEnvironment(run: HarnessRun, served: ServedTools): Record<string, string> {
  return childEnvironment({
    homeDir: run.homeDir,
    runToken: run.runToken,
    path: run.environment.path,
    extra: {
      ...PI_VARIABLES,
      PI_CODING_AGENT_DIR: agentDirOf(run),
      [KEY_VARIABLE]: run.endpoint.apiKey,
      REINS_PROMPT_KEY: promptKeyOf(run),
      ...served.environment,
      [CALLS_VARIABLE]: JSON.stringify(callSettings(run, served)),
      ...Object.fromEntries(headersOf(run).map(({ variable, value }) => [variable, value])),
    },
  });
}

/** The same for all runs with the same model and system prompt. */
const promptKeyOf = ({ modelId, systemPrompt }: HarnessRun): string =>
  createHash('sha256').update(`${modelId}\n${systemPrompt}`).digest('hex').slice(0, 32);

const callSettings = (run: HarnessRun, { names }: ServedTools): CallSettings => ({
  tools: [...piTools(run), ...names],
  isConfined: run.allowOutsideWorkDir !== true,
  builtIn: piTools(run),
  ...(run.callDecisions && { callDecisions: run.callDecisions }),
});

function modelsFile(run: HarnessRun): JsonObject {
  const { api, baseUrl, apiKey } = run.endpoint;
  const headers = Object.fromEntries(headersOf(run).map(({ name, variable }) => [name, `$${variable}`]));
  // pi treats a model without a key as unavailable.
  const key = apiKey === '' ? 'none' : `$${KEY_VARIABLE}`;
  return { providers: { [PROVIDER]: { baseUrl, api, apiKey: key, headers, models: [piModel(run)] } } };
}

/** Configured headers may contain secrets, so their values are passed in environment variables. */
function headersOf({ endpoint }: HarnessRun): { name: string; value: string; variable: string }[] {
  return Object.entries(endpoint.headers ?? {}).map(([name, value], index) => ({
    name,
    value,
    variable: `REINS_MODEL_HEADER_${index}`,
  }));
}

function settingsFile(run: HarnessRun): JsonObject {
  const { settings } = run.environment;
  return {
    ...piThinkingSettings(run),
    retry: { maxRetries: numberOr(settings.retries, 2), baseDelayMs: numberOr(settings.baseDelayMs, 500) },
    quietStartup: true,
  };
}

const numberOr = (value: unknown, fallback: number): number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : fallback;
