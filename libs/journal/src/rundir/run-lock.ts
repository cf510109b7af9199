import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rename, unlink } from 'node:fs/promises';
import { hostname, uptime } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isObject, ReinsError } from '@reins/contracts';
import { createFile, isErrno, prettyJson, readIfThere, replaceFile } from './files.ts';

/** Who holds a run directory. */
export interface LockRecord {
  readonly host: string;
  readonly pid: number;
  /** When that process started, as its system counts: a process id is used again. Absent where the system does not say. */
  readonly startedAt?: string;
  /** What for. */
  readonly owner: string;
  /** Tells one holding from the next by the same process. */
  readonly token: string;
  readonly acquiredAt: string;
  /** After this, holders on other hosts, whose life nobody here can see, count as gone. */
  readonly expiresAt: string;
}

export interface LockOptions {
  readonly owner: string;
  /** How long others on another host have to believe it. Default 60 s; renewed at a third of it. */
  readonly ttlMs?: number;
  /** How long to wait for another holder. Default 10 s. */
  readonly patienceMs?: number;
}

/** A held lock. */
export interface RunLock {
  readonly record: LockRecord;
  /** Whether it is still ours: a machine that slept past its expiry may have lost it. */
  stands(): Promise<boolean>;
  release(): Promise<void>;
}

const RETRY_MS = 25;

/**
 * Takes `run.lock`, waiting for its holder. A lock whose process is gone, whose expiry on another host has passed or that is
 * no lock at all (empty, torn) is taken over.
 * @throws ReinsError `run_locked`, naming the holder
 */
export async function acquireRunLock(
  path: string,
  { owner, ttlMs = 60_000, patienceMs = 10_000 }: LockOptions,
): Promise<RunLock> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const record = newRecord(owner, ttlMs);
    if (createFile(path, prettyJson(record), dirname(path), false)) return held(path, record, ttlMs);
    const text = readIfThere(path);
    if (text === undefined) continue;
    const holder = parseRecord(text);
    if (!holder || isGone(holder)) await takeAway(path, text);
    else if (performance.now() >= deadline) throw locked(holder);
    else await delay(RETRY_MS);
  }
}

function newRecord(owner: string, ttlMs: number): LockRecord {
  const startedAt = startOf(process.pid);
  const now = Date.now();
  return {
    host: hostname(),
    pid: process.pid,
    ...(startedAt !== undefined && { startedAt }),
    owner,
    token: randomBytes(8).toString('hex'),
    acquiredAt: new Date(now).toISOString(),
    expiresAt: new Date(now + ttlMs).toISOString(),
  };
}

function held(path: string, record: LockRecord, ttlMs: number): RunLock {
  const isOurs = async () => parseRecord(readIfThere(path) ?? '')?.token === record.token;
  const renew = async () => {
    if (!(await isOurs())) return;
    const expiresAt = new Date(Date.now() + ttlMs).toISOString();
    replaceFile(path, prettyJson({ ...record, expiresAt }), { durable: false });
  };
  const timer = setInterval(() => void renew().catch(() => undefined), ttlMs / 3).unref();
  return {
    record,
    stands: isOurs,
    release: async () => {
      clearInterval(timer);
      if (await isOurs()) await unlink(path).catch(() => undefined);
    },
  };
}

/**
 * Removes a lock that counts as gone. Moved aside first: when somebody else took it over in between, what was moved is their new lock,
 * and it is put back.
 */
async function takeAway(path: string, judged: string): Promise<void> {
  const aside = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await rename(path, aside);
  } catch {
    return;
  }
  const moved = readIfThere(aside);
  if (moved !== undefined && moved !== judged) createFile(path, moved, dirname(path), false);
  await unlink(aside).catch(() => undefined);
}

/** The record in a lock file, ours or a babysitter's; undefined when it is none. */
export function parseRecord(text: string): LockRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value) || !Number.isSafeInteger(value.pid) || (value.pid as number) <= 0) return undefined;
    return { ...LEGACY_DEFAULTS, ...(value as unknown as LockRecord) };
  } catch {
    return undefined;
  }
}

/** A babysitter's lock names a process of this machine, and nothing else. */
const LEGACY_DEFAULTS = {
  host: hostname(),
  owner: 'unknown',
  token: '',
  acquiredAt: '',
  expiresAt: '9999-12-31T23:59:59.999Z',
};

function isGone({ host, pid, startedAt, acquiredAt, expiresAt }: LockRecord): boolean {
  if (host !== hostname()) return Date.parse(expiresAt) < Date.now();
  if (!isAlive(pid)) return true;
  const start = startOf(pid);
  if (start === undefined) return false;
  return startedAt === undefined ? isYounger(start, acquiredAt) : start !== startedAt;
}

/** A lock without the start of its process is of an earlier one with this id when the one that lives now began well after it was taken. */
function isYounger(start: string, acquiredAt: string): boolean {
  const ticks = Number(start.slice(start.indexOf(':') + 1));
  const began = Date.now() - (uptime() - ticks / TICKS_PER_SECOND) * 1000;
  return began - Date.parse(acquiredAt) > CLOCKS_DIFFER_MS;
}

/** Of every Linux, as seen by processes. */
const TICKS_PER_SECOND = 100;
const CLOCKS_DIFFER_MS = 60_000;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isErrno(error, 'EPERM');
  }
}

/** When a process started: on Linux in clock ticks since boot, together with the boot. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot}:${ticks}`;
  } catch {
    return undefined;
  }
}

function locked({ host, pid, owner, acquiredAt }: LockRecord): ReinsError {
  return new ReinsError({
    code: 'run_locked',
    message: `the run is held by process ${pid} on ${host} (${owner}${acquiredAt ? `, since ${acquiredAt}` : ''})`,
    path: 'run.lock',
    hint: 'wait for it, or end that process',
  });
}
