import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CrashPoint } from '@reins/bus';
import { ReinsError } from '@reins/contracts';
import type { System } from '@reins/supervisor';
import type { Fault } from './schedule.ts';

/** Longer than every lease, claim and acknowledgement timeout, so that a frozen service loses what it held. */
const FROZEN_MS = 14_000;
/** A limit for what hangs: a busy machine needs several times as long as a quiet one. */
const READY_TIMEOUT_MS = 300_000;
const POLL_MS = 20;
/** Under the load of a chaos run, every crash point is reached soon. */
const REACHED_TIMEOUT_MS = 15_000;

/**
 * Injects a fault as soon as its target is ready. Resolves when the fault has started. The end of a freeze, and the
 * second kill of a restarting service, follow later (`over`).
 */
export async function inject(
  system: System,
  { kind, target, againAfterMs, at }: Fault,
  crashFolder: string,
): Promise<Injected> {
  await within(system.ready(target), `${target} was not ready within ${READY_TIMEOUT_MS} ms`);
  if (at !== undefined) return { over: Promise.resolve(), reached: await crash(system, target, at, crashFolder) };
  if (kind === 'freeze') return { over: freeze(system.status().find(({ name }) => name === target)?.pid) };
  await system.kill(target);
  return { over: againAfterMs === undefined ? Promise.resolve() : killStarting(system, target, againAfterMs) };
}

export interface Injected {
  /** Resolves when the fault has ended. */
  readonly over: Promise<void>;
  /** False when no service reached the crash point in time. */
  readonly reached?: boolean;
}

/** Crashes the next replica that reaches the crash point. `durable.deleted` is reached only in a takeover, which a kill causes. */
async function crash(system: System, target: string, point: CrashPoint, folder: string): Promise<boolean> {
  const file = join(folder, point);
  await writeFile(file, '');
  if (point === 'durable.deleted') await system.kill(target);
  const giveUpAt = performance.now() + REACHED_TIMEOUT_MS;
  while (existsSync(file) && performance.now() < giveUpAt) await sleep(POLL_MS);
  const reached = !existsSync(file);
  await rm(file, { force: true });
  return reached;
}

async function killStarting(system: System, target: string, afterMs: number): Promise<void> {
  const giveUpAt = performance.now() + READY_TIMEOUT_MS;
  const hasBegun = () => system.status().some(({ name, pid }) => name === target && pid !== undefined);
  while (!hasBegun() && performance.now() < giveUpAt) await sleep(POLL_MS);
  await sleep(afterMs);
  await system.kill(target);
}

async function freeze(pid: number | undefined): Promise<void> {
  if (!signal(pid, 'SIGSTOP')) return;
  await sleep(FROZEN_MS);
  signal(pid, 'SIGCONT');
}

/** @returns false when the process has ended, for example because it was killed while frozen */
function signal(pid: number | undefined, name: NodeJS.Signals): boolean {
  try {
    return pid !== undefined && process.kill(pid, name);
  } catch {
    return false;
  }
}

/** Waits until every part of the system is ready. */
export async function waitUntilReady(system: System): Promise<void> {
  const parts = system.status().map(({ name }) => name);
  await Promise.all(
    parts.map((name) => within(system.ready(name), `${name} did not recover within ${READY_TIMEOUT_MS} ms`)),
  );
}

async function within(done: Promise<void>, message: string): Promise<void> {
  const timer = new AbortController();
  const late = sleep(READY_TIMEOUT_MS, undefined, { signal: timer.signal }).then(() => {
    throw new ReinsError({ code: 'service_unavailable', message });
  });
  late.catch(() => {});
  try {
    await Promise.race([done, late]);
  } finally {
    timer.abort();
  }
}
