import { types } from 'node:util';
import type { JsonValue } from '@reins/contracts';
import type { Execution, Invocation } from '../engine/execution.ts';
import { misuse } from '../errors.ts';
import type { SignalOptions } from '../process-context.ts';

/** The kind `sleep`: resolved by the timer of its `expiresAt`. */
export async function sleepUntil(
  execution: Execution,
  when: string | number | Date,
  { label }: { readonly label?: string } = {},
): Promise<void> {
  const target = timeOf(when, 'the time to sleep until');
  if (target.getTime() <= execution.host.now().getTime()) return;
  const expiresAt = target.toISOString();
  const who = execution.identify({ kind: 'sleep', name: expiresAt, label, args: undefined });
  assertOfFacts(execution, who, expiresAt);
  await execution.ask(who, { request: { expiresAt }, label: label ?? `sleep:${expiresAt}` });
}

/** The kind `signal`: resolved by the first signal of this name, unless one came already. */
export async function signal(execution: Execution, name: string, options: SignalOptions = {}): Promise<JsonValue> {
  const { key, label, deadline } = options;
  if (typeof name !== 'string' || name.trim() === '') throw misuse('a signal has a name');
  const early = execution.host.takeSignal(name);
  if (early) return early.payload;
  const expiry: { readonly expiresAt?: string } =
    deadline === undefined ? {} : { expiresAt: timeOf(deadline, 'the deadline of a signal').toISOString() };
  const who = execution.identify({ kind: 'signal', name, label, key, args: undefined });
  assertOfFacts(execution, who, expiry.expiresAt);
  return execution.ask(who, { request: { name, ...expiry }, label });
}

/** A point in time from its ISO text, its milliseconds since 1970 or a Date. */
export function timeOf(when: string | number | Date, what: string): Date {
  const time = new Date(when);
  const isOne = typeof when === 'string' || typeof when === 'number' || types.isDate(when);
  if (!isOne || Number.isNaN(time.getTime()) || time.getTime() < 0)
    throw misuse(`${what} is no valid time: ${String(when)}`);
  return time;
}

/**
 * A time that facts can have: their years have four digits. What was recorded was taken once, and stays as it is.
 * @throws ReinsError `process_invalid`
 */
export function assertOfFacts({ host }: Execution, { effectId }: Invocation, expiresAt: string | undefined): void {
  if (expiresAt === undefined || /^\d{4}-/.test(expiresAt) || host.isRecorded(effectId)) return;
  throw misuse(`${expiresAt} is no valid time: it must be before the year 10000`);
}
