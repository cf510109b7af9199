import { readdirSync, readFileSync } from 'node:fs';

/** Linux reports process times in ticks of 10 ms on every machine. */
const TICK_MS = 10;

/**
 * The CPU time of a process and its descendants so far, in milliseconds, including ended ones. It varies less than elapsed time on a shared
 * machine. Undefined without /proc.
 */
export function cpuOfTree(root: number): number | undefined {
  const processes = processTable();
  if (!processes.has(root)) return undefined;
  const ticksBelow = (pid: number): number => {
    let ticks = processes.get(pid)?.ticks ?? 0;
    for (const [child, { parent }] of processes) if (parent === pid) ticks += ticksBelow(child);
    return ticks;
  };
  return ticksBelow(root) * TICK_MS;
}

function processTable(): Map<number, { readonly parent: number; readonly ticks: number }> {
  const table = new Map<number, { readonly parent: number; readonly ticks: number }>();
  for (const pid of entries('/proc').filter((name) => /^\d+$/.test(name))) {
    const stat = read(`/proc/${pid}/stat`);
    // The program name, in brackets, may contain any character. Only numbers follow it: proc_pid_stat(5).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [parent, ...times] = [fields[1], fields[11], fields[12], fields[13], fields[14]].map(Number);
    if (parent !== undefined) table.set(Number(pid), { parent, ticks: times.reduce((sum, time) => sum + time, 0) });
  }
  return table;
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Returns an empty string if the process has ended. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
