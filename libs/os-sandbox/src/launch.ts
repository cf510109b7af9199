import type { ChildProcess } from 'node:child_process';
import { type LaunchOptions, launchIsolated } from './launch-isolated.ts';
import { probe } from './probe.ts';

/**
 * Starts a child in the best sandbox that this host has (see `probe`). The child dies with this process.
 * @throws ReinsError `request_invalid` for a path that is not absolute
 */
export async function launch(options: LaunchOptions): Promise<ChildProcess> {
  return launchIsolated(await probe(), options);
}
