import { readdir, readFile, readlink } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { listRunProcesses } from './process-table.ts';

const ROUND_MS = 5;
const SUSPEND_MS = 10_000;
/** The states of processes that do not run: stopped, traced, zombie, dead. */
const AT_REST = new Set(['T', 't', 'Z', 'X', 'x']);

/**
 * Suspends all processes with one of the run tokens, and everything in their namespaces: a process may have removed the
 * token from its environment. None of them runs when this returns true.
 * @returns false when some still run after ten seconds
 */
export async function suspendRuns(tokens: ReadonlySet<string>): Promise<boolean> {
  const until = performance.now() + SUSPEND_MS;
  for (;;) {
    const running = await runningIn(tokens);
    if (running.length === 0) return true;
    if (performance.now() >= until) return false;
    for (const pid of running) signal(pid, 'SIGSTOP');
    await sleep(ROUND_MS);
  }
}

/** Continues what `suspendRuns` suspended. */
export async function resumeRuns(tokens: ReadonlySet<string>): Promise<void> {
  for (const pid of await membersOf(tokens)) signal(pid, 'SIGCONT');
}

async function runningIn(tokens: ReadonlySet<string>): Promise<number[]> {
  const members = await membersOf(tokens);
  const states = await Promise.all(members.map(stateOf));
  return members.filter((_, index) => !AT_REST.has(states[index] ?? 'X'));
}

/** The processes with one of the tokens, and all processes in a process namespace of theirs. Without this process. */
async function membersOf(tokens: ReadonlySet<string>): Promise<number[]> {
  if (tokens.size === 0) return [];
  const marked = (await listRunProcesses()).flatMap(({ pid, token }) => (tokens.has(token) ? [pid] : []));
  const own = await namespaceOf(process.pid);
  const inside = new Set((await Promise.all(marked.map(namespaceOf))).filter((id) => id !== undefined && id !== own));
  const others = inside.size === 0 ? [] : await pidsIn(inside);
  return [...new Set([...marked, ...others])].filter((pid) => pid !== process.pid);
}

async function pidsIn(namespaces: ReadonlySet<string | undefined>): Promise<number[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number);
  const all = await Promise.all(pids.map(namespaceOf));
  return pids.filter((_, index) => all[index] !== undefined && namespaces.has(all[index]));
}

const namespaceOf = (pid: number): Promise<string | undefined> =>
  readlink(`/proc/${pid}/ns/pid`).catch(() => undefined);

/** The state of a process; undefined if it has ended. */
async function stateOf(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat.slice(stat.lastIndexOf(')') + 2)[0];
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended, or belongs to another user.
  }
}
