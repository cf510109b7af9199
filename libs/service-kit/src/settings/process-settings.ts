import { existsSync } from 'node:fs';
import { loadSettings } from './load-settings.ts';
import type { Settings } from './settings.ts';

/** The settings of this process, from the file that REINS_CONFIG names, or `reins.yaml` or `reins.toml` of this folder. */
export function processSettings(environment: NodeJS.ProcessEnv = process.env): Settings {
  const file = environment.REINS_CONFIG ?? ['reins.yaml', 'reins.toml'].find((name) => existsSync(name));
  return loadSettings(file, environment);
}
