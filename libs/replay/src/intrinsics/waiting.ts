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
  const invocation = execution.identify({ kind: 'sleep', name: expiresAt, label, args: undefined });
  assertTimeFormat(execution, invocation, expiresAt);
  await execution.requestEffect(invocation, { request: { expiresAt }, label: label ?? `sleep:${expiresAt}` });
}

/** The kind `signal`: resolved by the first signal of this name, unless one arrived before. */
export async function signal(execution: Execution, name: string, options: SignalOptions = {}): Promise<JsonValue> {
  const { key, label, deadline } = options;
  if (typeof name !== 'string' || name.trim() === '') throw misuse('a signal needs a non-empty name');
  const early = execution.host.takeSignal(name);
  if (early) return early.payload;
  const expiry: { readonly expiresAt?: string } =
    deadline === undefined ? {} : { expiresAt: timeOf(deadline, 'the deadline of a signal').toISOString() };
  const invocation = execution.identify({ kind: 'signal', name, label, key, args: undefined });
  assertTimeFormat(execution, invocation, expiry.expiresAt);
  return execution.requestEffect(invocation, { request: { name, ...expiry }, label });
}

/** Parses an ISO time, milliseconds since 1970, or a Date. */
export function timeOf(when: string | number | Date, what: string): Date {
  const time = new Date(when);
  const isOne = typeof when === 'string' || typeof when === 'number' || types.isDate(when);
  if (!isOne || Number.isNaN(time.getTime()) || time.getTime() < 0)
    throw misuse(`${what} is not a valid time (got ${String(when)})`);
  return time;
}

/**
 * Times in facts have years of four digits. A recorded call was valid when it was made, and is not validated again.
 * @throws ReinsError `process_invalid`
 */
export function assertTimeFormat({ host }: Execution, { effectId }: Invocation, expiresAt: string | undefined): void {
  if (expiresAt === undefined || /^\d{4}-/.test(expiresAt) || host.isRecorded(effectId)) return;
  throw misuse(`${expiresAt} is not a valid time: it must be before the year 10000`);
}
