import { type ErrorInfo, type JsonValue, ReinsError } from '@reins/contracts';
import { type EntryDraft, RETRIES } from '@reins/journal';
import { errorInfoOf, isRefused } from '../errors.ts';
import type { StepOptions } from '../process-context.ts';
import { jsonCopy } from './json-copy.ts';

/** A local step of the process. */
export interface StepWork {
  readonly name: string;
  readonly work: () => Promise<JsonValue> | JsonValue;
  readonly options: Required<Omit<StepOptions, 'key'>>;
}

/** A due attempt of a local step. */
export interface DueStep {
  readonly effectId: string;
  readonly name: string;
  readonly attempt: number;
  /** Milliseconds since 1970. The attempt must not start earlier, because of the backoff after a failed one. */
  readonly notBefore: number;
  /** Of this attempt. */
  readonly timeoutMs: number;
  readonly maxAttempts: number;
  /** Does the work once and returns the entry to record. Never rejects. */
  run(): Promise<EntryDraft<'EFFECT_RESOLVED' | 'EFFECT_ATTEMPT_FAILED'>>;
}

export const STEP_DEFAULTS: StepWork['options'] = {
  maxAttempts: RETRIES.step.maxAttempts,
  timeoutMs: 60_000,
  backoffMs: 1000,
  maxBackoffMs: 60_000,
};

/** @param requestedAtMs when this attempt was requested: the request, or the failure of the previous attempt */
export function dueStep(effectId: string, attempt: number, step: StepWork, requestedAtMs: number): DueStep {
  const notBefore = attempt === 1 ? requestedAtMs : requestedAtMs + backoffBefore(attempt, step);
  const { maxAttempts } = step.options;
  const timeoutMs = clampTimer(step.options.timeoutMs);
  const run = () => runAttempt(effectId, attempt, step);
  return { effectId, name: step.name, attempt, notBefore, timeoutMs, maxAttempts, run };
}

/**
 * Node.js fires a timer of more than 24 days immediately. The caller adds some time to the timeout, so the maximum is a
 * minute less.
 */
const clampTimer = (ms: number): number => Math.min(ms, 2 ** 31 - 60_000);

function backoffBefore(attempt: number, { options }: StepWork): number {
  return clampTimer(Math.min(options.backoffMs * 2 ** (attempt - 2), options.maxBackoffMs));
}

async function runAttempt(effectId: string, attempt: number, step: StepWork): ReturnType<DueStep['run']> {
  try {
    const value = jsonCopy(await runWithTimeout(step), `the result of step ${step.name}`);
    return { type: 'EFFECT_RESOLVED', data: { attempt, effectId, status: 'ok', value } };
  } catch (thrown) {
    return failedAttempt({ effectId, attempt, maxAttempts: step.options.maxAttempts }, errorInfoOf(thrown));
  }
}

/**
 * The entry for a failed attempt: another attempt, or the end after the last one. Misuse of the context is not retried.
 */
export function failedAttempt(
  { effectId, attempt, maxAttempts }: Pick<DueStep, 'effectId' | 'attempt' | 'maxAttempts'>,
  error: ErrorInfo,
): EntryDraft<'EFFECT_RESOLVED' | 'EFFECT_ATTEMPT_FAILED'> {
  if (attempt >= maxAttempts || isRefused(error.code)) {
    return { type: 'EFFECT_RESOLVED', data: { effectId, attempt, status: 'error', error, retryable: false } };
  }
  const next = { outcome: 'failed', error, retryable: true, nextAttempt: attempt + 1 } as const;
  return { type: 'EFFECT_ATTEMPT_FAILED', data: { effectId, attempt, ...next } };
}

/** A synchronous result needs no timer. */
function runWithTimeout(step: StepWork): Promise<JsonValue> | JsonValue {
  const result = step.work();
  return typeof result === 'object' && result !== null && 'then' in result ? withTimeout(step, result) : result;
}

async function withTimeout({ name, options }: StepWork, result: Promise<JsonValue> | JsonValue): Promise<JsonValue> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const message = `step ${name} took longer than ${options.timeoutMs} ms`;
  const tooLong = () => reject(new ReinsError({ code: 'process_timed_out', message }));
  const timer = setTimeout(tooLong, clampTimer(options.timeoutMs));
  try {
    return await Promise.race([result, late]);
  } finally {
    clearTimeout(timer);
  }
}
