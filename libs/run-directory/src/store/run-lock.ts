import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rename, unlink } from 'node:fs/promises';
import { hostname, uptime } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { defined, isObject, ReinsError } from '@reins/contracts';
import { createFile, isErrno, prettyJson, readIfExists, replaceFile } from './files.ts';

/** The holder of a run directory's lock. */
interface LockRecord {
  readonly host: string;
  readonly pid: number;
  /**
   * When the process started, by the system's count, because process ids are reused. Absent where the system does not
   * provide it.
   */
  readonly startedAt?: string;
  /** The purpose. */
  readonly owner: string;
  /** Distinguishes this lock from an earlier one of the same process. */
  readonly token: string;
  readonly acquiredAt: string;
  /** After this time, a holder on another host counts as gone, because its process cannot be checked from here. */
  readonly expiresAt: string;
}

interface LockOptions {
  readonly owner: string;
  /** How long other hosts treat the holder as alive. Default 60 s; renewed every third of it. */
  readonly ttlMs?: number;
  /** How long to wait for another holder. Default 10 s. */
  readonly patienceMs?: number;
}

/** A held lock. */
interface RunLock {
  readonly record: LockRecord;
  /** Whether this process still holds it. A machine that slept past the expiry may have lost it. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

const RETRY_MS = 25;

/**
 * Acquires `run.lock`, and waits for its holder. Takes over a lock that is empty or torn, whose process is gone, or
 * whose holder on another host has expired.
 * @throws ReinsError `run_locked`, naming the holder
 */
export async function acquireRunLock(
  path: string,
  { owner, ttlMs = 60_000, patienceMs = 10_000 }: LockOptions,
): Promise<RunLock> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const record = newRecord(owner, ttlMs);
    if (createFile(path, prettyJson(record), dirname(path), false)) return heldLock(path, record, ttlMs);
    const text = readIfExists(path);
    if (text === undefined) continue;
    const holder = parseRecord(text);
    if (!holder || isHolderGone(holder)) await removeStaleLock(path, text);
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
    ...defined({ startedAt }),
    owner,
    token: randomBytes(8).toString('hex'),
    acquiredAt: new Date(now).toISOString(),
    expiresAt: new Date(now + ttlMs).toISOString(),
  };
}

function heldLock(path: string, record: LockRecord, ttlMs: number): RunLock {
  const isOurs = async () => parseRecord(readIfExists(path) ?? '')?.token === record.token;
  const renew = async () => {
    if (!(await isOurs())) return;
    const expiresAt = new Date(Date.now() + ttlMs).toISOString();
    replaceFile(path, prettyJson({ ...record, expiresAt }), { durable: false });
  };
  const timer = setInterval(() => void renew().catch(() => undefined), ttlMs / 3).unref();
  return {
    record,
    isHeld: isOurs,
    release: async () => {
      clearInterval(timer);
      if (await isOurs()) await unlink(path).catch(() => undefined);
    },
  };
}

/**
 * Removes a stale lock. Moves it aside first: if another process took the lock over meanwhile, its new lock was moved
 * and is put back.
 */
async function removeStaleLock(path: string, staleText: string): Promise<void> {
  const aside = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await rename(path, aside);
  } catch {
    return;
  }
  const moved = readIfExists(aside);
  if (moved !== undefined && moved !== staleText) createFile(path, moved, dirname(path), false);
  await unlink(aside).catch(() => undefined);
}

/** Parses a lock file of Reins or babysitter; undefined when it is invalid. */
function parseRecord(text: string): LockRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value) || !Number.isSafeInteger(value.pid) || (value.pid as number) <= 0) return undefined;
    return { ...LEGACY_DEFAULTS, ...(value as unknown as LockRecord) };
  } catch {
    return undefined;
  }
}

/** A babysitter lock only has the id of a process on this machine. */
const LEGACY_DEFAULTS = {
  host: hostname(),
  owner: 'unknown',
  token: '',
  acquiredAt: '',
  expiresAt: '9999-12-31T23:59:59.999Z',
};

function isHolderGone({ host, pid, startedAt, acquiredAt, expiresAt }: LockRecord): boolean {
  if (host !== hostname()) return Date.parse(expiresAt) < Date.now();
  if (!isAlive(pid)) return true;
  const start = startOf(pid);
  if (start === undefined) return false;
  return startedAt === undefined ? isYounger(start, acquiredAt) : start !== startedAt;
}

/**
 * For a lock without a start time: whether the process with this id started well after the lock was taken, so it is
 * another process.
 */
function isYounger(start: string, acquiredAt: string): boolean {
  const ticks = Number(start.slice(start.indexOf(':') + 1));
  const began = Date.now() - (uptime() - ticks / TICKS_PER_SECOND) * 1000;
  return began - Date.parse(acquiredAt) > CLOCKS_DIFFER_MS;
}

/** The clock tick rate that every Linux reports to processes. */
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

/** When a process started. On Linux: clock ticks since boot, with the boot id. */
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
    message: `the run is locked by process ${pid} on ${host} (${owner}${acquiredAt ? `, since ${acquiredAt}` : ''})`,
    path: 'run.lock',
    hint: 'Wait until that process is done, or stop it.',
  });
}
