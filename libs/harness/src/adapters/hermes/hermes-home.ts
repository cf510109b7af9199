import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '@reins/contracts';
import type { HarnessRun } from '../../contract.ts';
import { thinkingOf } from '../../execution/thinking.ts';
import { childEnvironment } from '../../process/environment.ts';
import { QUESTION_FIELD } from '../../tools/question.ts';
import { RELAY_SOURCE } from './relay-source.ts';
import { hermesTools, servedTools } from './tools.ts';

const PLUGIN = 'reins';
const SECRET_PREFIX = 'REINS_SECRET_';
const DEFAULT_RETRIES = 2;
/** The window of a model about which nothing is known. Without one, Hermes asks other addresses. */
const DEFAULT_CONTEXT_WINDOW = 128_000;
const SECOND = 1000;

type Home = Pick<HarnessRun, 'homeDir' | 'sessionDir'>;

const hermesDir = ({ homeDir }: Home): string => join(homeDir, 'hermes');
const relayFile = ({ homeDir }: Home): string => join(homeDir, 'relay.json');

/** Writes what Hermes reads at its start. The files contain no secrets. The database of sessions is in the session folder. */
export async function writeHermesHome(run: HarnessRun): Promise<void> {
  const plugin = join(hermesDir(run), 'plugins', PLUGIN);
  await Promise.all([plugin, run.sessionDir, join(run.homeDir, 'tmp')].map((path) => mkdir(path, { recursive: true })));
  const files: Readonly<Record<string, string>> = {
    [join(hermesDir(run), 'config.yaml')]: JSON.stringify(hermesConfig(run)),
    [join(plugin, 'plugin.yaml')]: JSON.stringify({ name: PLUGIN, version: '1', description: 'The relay of Reins' }),
    [join(plugin, '__init__.py')]: RELAY_SOURCE,
    [relayFile(run)]: JSON.stringify(relaySettings(run)),
  };
  await Promise.all(Object.entries(files).map(([path, content]) => writeFile(path, content)));
  await symlink(join(run.sessionDir, 'state.db'), join(hermesDir(run), 'state.db'));
}

/** The variables for Hermes and the relay, without secrets. */
export const hermesVariables = (run: Home): Record<string, string> => ({
  HERMES_HOME: hermesDir(run),
  HERMES_DISABLE_LAZY_INSTALLS: '1',
  PYTHONDONTWRITEBYTECODE: '1',
  REINS_RELAY_FILE: relayFile(run),
});

export const hermesEnvironment = (run: HarnessRun): Record<string, string> => {
  const secrets = secretHeaders(run).map(({ variable, value }) => [variable, value]);
  return childEnvironment({
    homeDir: run.homeDir,
    runToken: run.runToken,
    path: run.environment.path,
    extra: { ...hermesVariables(run), ...Object.fromEntries(secrets) },
  });
};

function hermesConfig({ endpoint, modelId, model, environment: { settings }, deadlines }: HarnessRun): JsonObject {
  const { retries = DEFAULT_RETRIES, contextWindow = model?.contextWindow ?? DEFAULT_CONTEXT_WINDOW } = settings;
  return {
    // The relay sends the key.
    model: {
      default: modelId,
      provider: 'custom',
      base_url: endpoint.baseUrl,
      api_key: 'none',
      context_length: contextWindow,
    },
    agent: { environment_probe: false, api_max_retries: Number(retries) + 1 },
    security: { allow_lazy_installs: false, tirith_enabled: false },
    plugins: { enabled: [PLUGIN] },
    auxiliary: { title_generation: { enabled: false } },
    compression: { enabled: false },
    memory: { memory_enabled: false, user_profile_enabled: false },
    terminal: { timeout: Math.ceil((deadlines.toolMs ?? deadlines.totalMs) / SECOND) },
  };
}

/** What the relay reads. It has no secrets. */
const relaySettings = (run: HarnessRun): JsonObject => ({
  systemPrompt: run.systemPrompt,
  tools: [...hermesTools(run), ...servedTools(run).map(({ offered }) => offered)],
  fields: thinkingFields(run),
  headers: Object.fromEntries(secretHeaders(run).map(({ name, variable }) => [name, variable])),
  questionField: QUESTION_FIELD,
});

/** What the model is asked about thinking: nothing, unless the request asks for something. */
function thinkingFields(run: HarnessRun): JsonObject {
  const sent = thinkingOf(run);
  if (sent.kind === 'effort') return { reasoning_effort: sent.value ?? sent.level };
  if (sent.kind === 'budget') return { reasoning_effort: sent.level };
  return sent.kind === 'off' ? { reasoning_effort: sent.value ?? 'none' } : {};
}

/** The headers of model calls, and the variables that pass them. */
function secretHeaders({ endpoint: { apiKey, headers = {} } }: HarnessRun) {
  const all = { ...headers, Authorization: `Bearer ${apiKey || 'none'}` };
  return Object.entries(all).map(([name, value], index) => ({ name, value, variable: `${SECRET_PREFIX}${index}` }));
}
