import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '@reins/contracts';
import type { HarnessRun } from '../../contract.ts';
import { childEnvironment } from '../../process/environment.ts';
import { opencodeConfig, secretVariables } from './config.ts';
import { RELAY_VARIABLE, type RelaySettings } from './relay-settings.ts';
import { opencodeTools, serverName } from './tools.ts';

/** The plugin that OpenCode loads. */
const RELAY = import.meta.resolve(`./relay.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`);
const PLUGIN_LIBRARY = '@opencode-ai/plugin';
/** OpenCode calls no other address than those of the model and the tools, and reads no files of the project. */
const VARIABLES: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...['AUTOUPDATE', 'MODELS_FETCH', 'LSP_DOWNLOAD', 'DEFAULT_PLUGINS', 'PROJECT_CONFIG', 'CLAUDE_CODE', 'SHARE'],
    ...['EXTERNAL_SKILLS', 'CHANNEL_DB', 'TERMINAL_TITLE', 'PRUNE'],
  ].map((name) => [`OPENCODE_DISABLE_${name}`, '1']),
);

type Home = Pick<HarnessRun, 'homeDir' | 'sessionDir'>;

/** Writes what OpenCode reads at its start. The files contain no secrets. */
export async function writeOpencodeHome(run: HarnessRun): Promise<void> {
  const config = join(run.homeDir, '.config', 'opencode');
  const folders = [join(config, 'node_modules'), run.sessionDir, join(run.homeDir, 'tmp')];
  await Promise.all(folders.map((path) => mkdir(path, { recursive: true })));
  const files: Readonly<Record<string, JsonObject>> = {
    ...libraryFiles(config),
    [configFile(run)]: opencodeConfig(run, RELAY),
    [relayFile(run)]: { ...relaySettings(run) },
  };
  await Promise.all(Object.entries(files).map(([path, content]) => writeFile(path, JSON.stringify(content))));
}

export const opencodeEnvironment = (run: HarnessRun): Record<string, string> =>
  childEnvironment({
    homeDir: run.homeDir,
    runToken: run.runToken,
    path: run.environment.path,
    extra: { ...opencodeVariables(run), ...secretVariables(run) },
  });

const configFile = ({ homeDir }: Home): string => join(homeDir, 'opencode.json');
const relayFile = ({ homeDir }: Home): string => join(homeDir, 'relay.json');

/** The variables for OpenCode and the relay, without secrets. */
export const opencodeVariables = (run: Home): Record<string, string> => ({
  ...VARIABLES,
  OPENCODE_CONFIG: configFile(run),
  OPENCODE_DB: join(run.sessionDir, 'opencode.db'),
  [RELAY_VARIABLE]: relayFile(run),
});

/** OpenCode installs the library for plugins with npm if these files do not name it. The relay does not need it. */
function libraryFiles(folder: string): Readonly<Record<string, JsonObject>> {
  const dependencies = { [PLUGIN_LIBRARY]: '*' };
  return {
    [join(folder, 'package.json')]: { dependencies },
    [join(folder, 'package-lock.json')]: { lockfileVersion: 3, packages: { '': { dependencies } } },
  };
}

function relaySettings(run: HarnessRun): RelaySettings {
  const served = run.mcpServers.flatMap(({ tools }, index) =>
    tools.map(({ name }) => `${serverName(index)}_${name.replace(/[^\w-]/g, '_')}`),
  );
  return {
    systemPrompt: run.systemPrompt,
    modelUrl: run.endpoint.baseUrl,
    tools: [...opencodeTools(run), ...served],
    isConfined: run.allowOutsideWorkDir !== true,
  };
}
