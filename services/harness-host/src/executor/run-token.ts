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

const TOKEN = /^(\d+)-(\d+)-[0-9a-f]{18}$/;

/**
 * Ends the processes of runs whose host is gone: what a killed host left behind. Those of hosts that live, on this machine or in
 * this process, are not touched, nor are those whose token is none of ours.
 * @returns the pids that were killed
 */
export async function sweepOrphans(): Promise<number[]> {
  const alive = new Map<Owner, Promise<boolean>>();
  const lives = (owner: Owner, pid: number, ticks: string): Promise<boolean> => {
    const known = alive.get(owner) ?? startTicks(pid).then((found) => found === ticks);
    alive.set(owner, known);
    return known;
  };
  return sweep(async ({ token }: RunProcess) => {
    const [, pid, ticks] = TOKEN.exec(token) ?? [];
    return pid !== undefined && ticks !== undefined && !(await lives(`${pid}-${ticks}`, Number(pid), ticks));
  });
}
