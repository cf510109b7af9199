import { existsSync } from 'node:fs';
import { loadSettings } from './load-settings.ts';
import type { Settings } from './settings.ts';

/**
 * Loads the settings of this process from the file in REINS_CONFIG, or `reins.yaml` or `reins.toml` in the working
 * directory.
 */
export function processSettings(environment: NodeJS.ProcessEnv = process.env): Settings {
  const file = environment.REINS_CONFIG ?? ['reins.yaml', 'reins.toml'].find((name) => existsSync(name));
  return loadSettings(file, environment);
}
