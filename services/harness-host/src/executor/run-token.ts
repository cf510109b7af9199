import { randomBytes } from 'node:crypto';
import { type RunProcess, startTicks, sweep } from '@reins/harness';

/** Pid and start time of a host process: on one machine, no two are the same. */
export type Owner = string;

export async function ownerOf(pid: number): Promise<Owner> {
  return `${pid}-${(await startTicks(pid)) ?? 'unknown'}`;
}

/** A token for one run, that names the host process which it belongs to. */
export function newRunToken(owner: Owner): string {
  return `${owner}-${randomBytes(9).toString('hex')}`;
}

/**
 * Ends the processes of runs whose host is gone: what a killed host left behind. Those of hosts that live, on this machine or in
 * this process, are not touched.
 * @returns the pids that were killed
 */
export async function sweepOrphans(): Promise<number[]> {
  const alive = new Map<Owner, boolean>();
  const isOrphan = async ({ token }: RunProcess): Promise<boolean> => {
    const [pid = '', ticks = ''] = token.split('-');
    const owner = `${pid}-${ticks}`;
    if (!alive.has(owner)) alive.set(owner, (await startTicks(Number(pid))) === ticks);
    return alive.get(owner) === false;
  };
  return sweep(isOrphan);
}
