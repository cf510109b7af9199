import type { ChildProcess } from 'node:child_process';
import { type LaunchOptions, launchBehind } from './launch-behind.ts';
import { probe } from './probe.ts';

/**
 * Starts a child behind the best wall that this host has; `probe` says which. It dies with this process.
 * @throws ReinsError `request_invalid` for a path that is not absolute
 */
export async function launch(options: LaunchOptions): Promise<ChildProcess> {
  return launchBehind(await probe(), options);
}
