import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ReinsError } from '@reins/contracts';

const run = promisify(execFile);

/** The content of `.reins/run/system.json`: the system that runs, or ran last. */
export interface RunFile {
  /** The process id of the supervisor. */
  readonly pid: number;
  readonly natsPort?: number;
  readonly postgresPort?: number;
  readonly natsUrl?: string;
  readonly natsUsersDir?: string;
  readonly databaseUrl?: string;
  /** Process ids of servers that own files in the state folder. */
  readonly owners: readonly number[];
  /** The parts that have not stopped yet, while the system stops. */
  readonly stopping?: readonly string[];
}

const pathOf = (stateDir: string): string => join(stateDir, 'run', 'system.json');

export async function readRunFile(stateDir: string): Promise<RunFile | undefined> {
  try {
    return JSON.parse(await readFile(pathOf(stateDir), 'utf8')) as RunFile;
  } catch {
    return undefined; // The file is missing or truncated.
  }
}

export async function writeRunFile(stateDir: string, content: RunFile): Promise<void> {
  const path = pathOf(stateDir);
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, path);
}

/**
 * Makes sure that no other system uses the state folder: two NATS servers would corrupt the store. Throws if a system runs there. Waits for
 * the servers of a killed system: their guardian process ends them.
 */
export async function claimStateDir(stateDir: string, timeoutMs = 20_000): Promise<RunFile | undefined> {
  const last = await readRunFile(stateDir);
  if (!last) return undefined;
  if (last.pid !== process.pid && (await usesStateDir(last.pid, undefined))) {
    throw new ReinsError({
      code: 'system_already_running',
      message: `another system is running in ${stateDir} (process ${last.pid})`,
      path: stateDir,
      hint: 'Stop that system, or choose another state folder.',
    });
  }
  const deadline = performance.now() + timeoutMs;
  for (const pid of last.owners) {
    while (await usesStateDir(pid, stateDir)) {
      if (performance.now() > deadline) throw leftBehind(pid, stateDir);
      await delay(100);
    }
  }
  return last;
}

/**
 * Stops the system of a state folder, as Ctrl-C does, and waits for its supervisor to end.
 * @returns the process id of the supervisor; undefined when no system runs there
 * @throws ReinsError `service_unavailable` when it has not ended in time
 */
export async function stopSystem(stateDir: string, timeoutMs = 60_000): Promise<number | undefined> {
  const pid = (await readRunFile(stateDir))?.pid ?? 0;
  if (!(await usesStateDir(pid, undefined))) return undefined;
  process.kill(pid, 'SIGTERM');
  const deadline = performance.now() + timeoutMs;
  while (await usesStateDir(pid, undefined)) {
    if (performance.now() > deadline) throw stillRunning(pid, stateDir);
    await delay(100);
  }
  return pid;
}

/** The parts of a stopping system that have not stopped yet; none if it does not stop. */
export async function stoppingParts(stateDir: string): Promise<readonly string[]> {
  return (await readRunFile(stateDir))?.stopping ?? [];
}

const stillRunning = (pid: number, stateDir: string): ReinsError =>
  new ReinsError({
    code: 'service_unavailable',
    message: `the system (process ${pid}) has not stopped yet`,
    path: stateDir,
    hint: 'Read logs/supervisor.log in the state folder.',
  });

export async function forgetOwners(stateDir: string): Promise<void> {
  const last = await readRunFile(stateDir);
  if (last) await writeRunFile(stateDir, { ...last, pid: 0, owners: [], stopping: [] });
  else await rm(pathOf(stateDir), { force: true });
}

/** Whether the process is alive and still the same program: process ids are reused. */
async function usesStateDir(pid: number, stateDir: string | undefined): Promise<boolean> {
  if (pid <= 0) return false;
  try {
    const { stdout } = await run('ps', ['-o', 'stat=,command=', '-p', String(pid)]);
    const [stat = '', ...command] = stdout.trim().split(/\s+/);
    const line = command.join(' ');
    return !stat.startsWith('Z') && line.includes(stateDir ?? 'node');
  } catch {
    return false; // `ps` found no such process.
  }
}

const leftBehind = (pid: number, stateDir: string): ReinsError =>
  new ReinsError({
    code: 'system_already_running',
    message: `process ${pid} of an earlier system is still using ${stateDir}`,
    path: stateDir,
    hint: `Stop the process (kill ${pid}) and start again.`,
  });
