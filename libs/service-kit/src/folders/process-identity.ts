import { readFile } from 'node:fs/promises';

/** Pid and start time of a process; unique on one machine. */
export type ProcessIdentity = string;

/**
 * Returns the identity of a live process. Without `/proc` the start time is `unknown`, and it cannot be determined
 * later whether the process has ended.
 */
export async function identityOf(pid: number): Promise<ProcessIdentity> {
  return `${pid}-${(await startTicks(pid)) ?? 'unknown'}`;
}

const IDENTITY = /^(\d+)-(\d+)$/;

/**
 * Whether a process of this machine has ended. If that cannot be determined, as without `/proc`, it counts as alive.
 */
export async function hasProcessEnded(identity: ProcessIdentity): Promise<boolean> {
  const [, pid, ticks] = IDENTITY.exec(identity) ?? [];
  if (pid === undefined || (await startTicks(Number(pid))) === ticks) return false;
  return (await startTicks(process.pid)) !== undefined;
}

/** States of an ended process; a zombie has ended although its parent has not reaped it. */
const ENDED = ['Z', 'X'];

/** Start time of a process in clock ticks since boot. Undefined when it has ended or is not visible. */
async function startTicks(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // The second field is the command in parentheses, which may itself contain parentheses and spaces. The state follows
  // it, 19 fields before the start time.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
  return ENDED.includes(fields[0] ?? '') ? undefined : fields[19];
}
