import { ReinsError } from '@reins/contracts';
import type { HarnessEnvironment } from '../../contract.ts';
import { installedRuntime } from '../../executables/installed.ts';

/** What every process is started with. A setting that this Codex does not have then ends it, instead of being ignored. */
export const FIXED_ARGUMENTS = ['app-server', '--strict-config'];

/** The executable, and the folders with what it needs. */
export interface CodexCommand {
  readonly command: string;
  readonly folders: readonly string[];
}

/**
 * The command in `harness.codex.command`, or the installed Codex.
 * @throws ReinsError `harness_start_failed` without one
 */
export function codexCommand({ settings, harnessesDir }: HarnessEnvironment): CodexCommand {
  const { command } = settings;
  if (typeof command === 'string' && command !== '') return { command, folders: [] };
  const installed = harnessesDir === undefined ? undefined : installedRuntime(harnessesDir, 'codex');
  if (installed) return { command: installed.executable, folders: [installed.folder] };
  throw new ReinsError({ code: 'harness_start_failed', message: 'Codex is not installed', hint: INSTALL });
}

export const INSTALL = 'Run `reins harness install codex`, or set harness.codex.command to an installed Codex.';
