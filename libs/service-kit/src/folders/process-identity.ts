import { readFile } from 'node:fs/promises';

/** Pid and start time of a process: on one machine, no two are the same. */
export type ProcessIdentity = string;

/** Of a process that lives. Without `/proc` the start time is `unknown`, and nobody can tell later on whether it is gone. */
export async function identityOf(pid: number): Promise<ProcessIdentity> {
  return `${pid}-${(await startTicks(pid)) ?? 'unknown'}`;
}

const IDENTITY = /^(\d+)-(\d+)$/;

/** Whether a process of this machine has ended. Where nobody can tell, as without `/proc`, it counts as alive. */
export async function hasProcessEnded(identity: ProcessIdentity): Promise<boolean> {
  const [, pid, ticks] = IDENTITY.exec(identity) ?? [];
  if (pid === undefined || (await startTicks(Number(pid))) === ticks) return false;
  return (await startTicks(process.pid)) !== undefined;
}

/** What its parent has not taken note of yet has ended all the same. */
const ENDED = ['Z', 'X'];

/** When a process started, in clock ticks since boot. Undefined when it is gone or not to be seen. */
async function startTicks(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // The second field is the command in brackets and may itself hold brackets and spaces; the state follows it, 19 fields before the start time.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
  return ENDED.includes(fields[0] ?? '') ? undefined : fields[19];
}
