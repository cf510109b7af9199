import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ReinsError } from '@reins/contracts';

const run = promisify(execFile);

/** What `.reins/run/system.json` says about the system that runs, or ran last. */
export interface RunFile {
  /** The supervisor's process. */
  readonly pid: number;
  readonly natsPort?: number;
  readonly postgresPort?: number;
  readonly natsUrl?: string;
  readonly databaseUrl?: string;
  /** Processes that own files under the state folder. */
  readonly owners: readonly number[];
}

const pathOf = (stateDir: string): string => join(stateDir, 'run', 'system.json');

export async function readRunFile(stateDir: string): Promise<RunFile | undefined> {
  try {
    return JSON.parse(await readFile(pathOf(stateDir), 'utf8')) as RunFile;
  } catch {
    return undefined; // none yet, or one that was cut off: nothing is known
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
 * Makes sure that nobody else works on the state folder: two NATS servers on one store would ruin it. A system that runs is
 * refused; what a killed one left is ending by itself (its guardian sees to that), and is waited for.
 */
export async function claimStateDir(stateDir: string, withinMs = 20_000): Promise<RunFile | undefined> {
  const last = await readRunFile(stateDir);
  if (!last) return undefined;
  if (last.pid !== process.pid && (await worksOn(last.pid, undefined))) {
    throw new ReinsError({
      code: 'system_already_running',
      message: `a system already runs on ${stateDir}, as process ${last.pid}`,
      path: stateDir,
      hint: 'stop that one first, or choose another folder',
    });
  }
  const giveUpAt = performance.now() + withinMs;
  for (const pid of last.owners) {
    while (await worksOn(pid, stateDir)) {
      if (performance.now() > giveUpAt) throw leftBehind(pid, stateDir);
      await delay(100);
    }
  }
  return last;
}

export async function forgetOwners(stateDir: string): Promise<void> {
  const last = await readRunFile(stateDir);
  if (last) await writeRunFile(stateDir, { ...last, pid: 0, owners: [] });
  else await rm(pathOf(stateDir), { force: true });
}

/** Whether the process lives and, as far as its command line tells, is what it was: numbers are used again. */
async function worksOn(pid: number, stateDir: string | undefined): Promise<boolean> {
  if (pid <= 0) return false;
  try {
    const { stdout } = await run('ps', ['-o', 'stat=,command=', '-p', String(pid)]);
    const [stat = '', ...command] = stdout.trim().split(/\s+/);
    const line = command.join(' ');
    return !stat.startsWith('Z') && line.includes(stateDir ?? 'node');
  } catch {
    return false; // ps found none
  }
}

const leftBehind = (pid: number, stateDir: string): ReinsError =>
  new ReinsError({
    code: 'system_already_running',
    message: `process ${pid} of an earlier start still works on ${stateDir}`,
    path: stateDir,
    hint: `end it (kill ${pid}) and start again`,
  });
