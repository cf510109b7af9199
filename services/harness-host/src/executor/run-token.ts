import { randomBytes } from 'node:crypto';
import { type RunProcess, sweep } from '@reins/harness';
import { hasProcessEnded, type ProcessIdentity } from '@reins/service-kit/folders';

/** Creates a token for one run. It contains the identity of its host process. */
export function newRunToken(owner: ProcessIdentity): string {
  return `${owner}-${randomBytes(9).toString('hex')}`;
}

const TOKEN = /^(\d+-\d+)-[0-9a-f]{18}$/;

/**
 * Kills the run processes of hosts that no longer run. Does not touch the processes of live hosts, or processes with
 * a token in another format.
 * @returns the pids that were killed
 */
export async function sweepOrphans(): Promise<number[]> {
  const goneByOwner = new Map<ProcessIdentity, Promise<boolean>>();
  const hasGone = (owner: ProcessIdentity): Promise<boolean> => {
    const known = goneByOwner.get(owner) ?? hasProcessEnded(owner);
    goneByOwner.set(owner, known);
    return known;
  };
  return sweep(async ({ token }: RunProcess) => {
    const [, owner] = TOKEN.exec(token) ?? [];
    return owner !== undefined && (await hasGone(owner));
  });
}
