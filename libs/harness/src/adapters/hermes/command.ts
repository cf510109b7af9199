import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ReinsError } from '@reins/contracts';
import type { HarnessEnvironment } from '../../contract.ts';
import { installedRuntime } from '../../executables/installed.ts';

/** What every process is started with: the Agent Client Protocol on standard input and output. */
export const FIXED_ARGUMENTS = ['acp'];

/** The executable, and the folders with what it needs. */
export interface HermesCommand {
  readonly command: string;
  readonly folders: readonly string[];
}

/**
 * The command in `harness.hermes.command`, or the installed Hermes.
 * @throws ReinsError `harness_start_failed` without one
 */
export function hermesCommand({ settings, harnessesDir }: HarnessEnvironment): HermesCommand {
  const { command } = settings;
  if (typeof command === 'string' && command !== '') return { command, folders: [] };
  const installed = harnessesDir === undefined ? undefined : installedRuntime(harnessesDir, 'hermes');
  if (installed)
    return { command: installed.executable, folders: [installed.folder, interpreterFolder(installed.folder)] };
  throw new ReinsError({ code: 'harness_start_failed', message: 'Hermes is not installed', hint: INSTALL });
}

export const INSTALL = 'Run `reins harness install hermes`, or set harness.hermes.command to an installed Hermes.';

/** The folder of the Python of a virtual environment. */
const interpreterFolder = (environment: string): string =>
  dirname(dirname(realpathSync(join(environment, 'bin', 'python'))));
