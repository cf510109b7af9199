import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Isolation } from '../isolation.ts';

/**
 * How the network of a child can be restricted: to its own network namespace, to ports of TCP connections to any
 * address, or not at all.
 */
export type NetworkLimit = 'namespace' | 'ports' | 'none';

/** The version of Landlock that can restrict TCP connections (Linux 6.7). */
const WITH_PORTS = 4;

/** Finds out what `network: { doors }` does with this isolation. Landlock refuses to start a child if it cannot do it. */
export async function networkLimit({ backend, program }: Isolation): Promise<NetworkLimit> {
  if (backend === 'bubblewrap') return 'namespace';
  if (backend === 'none') return 'none';
  const { stdout } = await promisify(execFile)(program, ['--probe']);
  return Number(/^landlock (\d+)/.exec(stdout)?.[1] ?? 0) >= WITH_PORTS ? 'ports' : 'none';
}
