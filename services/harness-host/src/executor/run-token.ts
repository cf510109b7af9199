import { randomBytes } from 'node:crypto';
import { type RunProcess, sweep } from '@reins/harness';
import { hasProcessEnded, type ProcessIdentity } from '@reins/service-kit/folders';

/** A token for one run, that names the host process which it belongs to. */
export function newRunToken(owner: ProcessIdentity): string {
  return `${owner}-${randomBytes(9).toString('hex')}`;
}

const TOKEN = /^(\d+-\d+)-[0-9a-f]{18}$/;

/**
 * Ends the processes of runs whose host is gone: what a killed host left behind. Those of hosts that live, on this machine or in
 * this process, are not touched, nor are those whose token is none of ours.
 * @returns the pids that were killed
 */
export async function sweepOrphans(): Promise<number[]> {
  const gone = new Map<ProcessIdentity, Promise<boolean>>();
  const hasGone = (owner: ProcessIdentity): Promise<boolean> => {
    const known = gone.get(owner) ?? hasProcessEnded(owner);
    gone.set(owner, known);
    return known;
  };
  return sweep(async ({ token }: RunProcess) => {
    const [, owner] = TOKEN.exec(token) ?? [];
    return owner !== undefined && (await hasGone(owner));
  });
}
