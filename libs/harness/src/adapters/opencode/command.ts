import { ReinsError } from '@reins/contracts';
import type { HarnessEnvironment } from '../../contract.ts';
import { installedRuntime } from '../../executables/installed.ts';

/**
 * What every process is started with: OpenCode without an interface and without a port. The relay in it takes the
 * requests.
 */
export const FIXED_ARGUMENTS = ['debug', 'wait'];

/** The executable, and the folders with what it needs. */
export interface OpencodeCommand {
  readonly command: string;
  readonly folders: readonly string[];
}

/**
 * The command in `harness.opencode.command`, or the installed OpenCode.
 * @throws ReinsError `harness_start_failed` without one
 */
export function opencodeCommand({ settings, harnessesDir }: HarnessEnvironment): OpencodeCommand {
  const { command } = settings;
  if (typeof command === 'string' && command !== '') return { command, folders: [] };
  const installed = harnessesDir === undefined ? undefined : installedRuntime(harnessesDir, 'opencode');
  if (installed) return { command: installed.executable, folders: [installed.folder] };
  throw new ReinsError({ code: 'harness_start_failed', message: 'OpenCode is not installed', hint: INSTALL });
}

export const INSTALL =
  'Run `reins harness install opencode`, or set harness.opencode.command to an installed OpenCode.';
