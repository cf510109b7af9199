import { type ErrorInfo, type JsonValue, ReinsError } from '@reins/contracts';
import type { EntryDraft } from '@reins/journal';
import { errorInfoOf, isRefused } from '../errors.ts';
import type { StepOptions } from '../process-context.ts';
import { jsonCopy } from './json-copy.ts';

/** A local step as the process gave it. */
export interface StepWork {
  readonly name: string;
  readonly work: () => Promise<JsonValue> | JsonValue;
  readonly options: Required<Omit<StepOptions, 'key'>>;
}

/** One attempt at a local step that is due now. */
export interface DueStep {
  readonly effectId: string;
  readonly name: string;
  readonly attempt: number;
  /** Not before this time (milliseconds since 1970): the backoff after an attempt that failed. */
  readonly notBefore: number;
  /** Of this attempt. */
  readonly timeoutMs: number;
  readonly maxAttempts: number;
  /** Does the work, once, and says what the journal shall have of it. Never rejects. */
  run(): Promise<EntryDraft<'EFFECT_RESOLVED' | 'EFFECT_ATTEMPT_FAILED'>>;
}

export const STEP_DEFAULTS: StepWork['options'] = {
  maxAttempts: 3,
  timeoutMs: 60_000,
  backoffMs: 1000,
  maxBackoffMs: 60_000,
};

/** @param askedAt when this attempt was asked for: the request, or the failure of the attempt before */
export function dueStep(effectId: string, attempt: number, step: StepWork, askedAt: number): DueStep {
  const notBefore = attempt === 1 ? askedAt : askedAt + backoffBefore(attempt, step);
  const { maxAttempts } = step.options;
  const timeoutMs = timerOf(step.options.timeoutMs);
  const run = () => runAttempt(effectId, attempt, step);
  return { effectId, name: step.name, attempt, notBefore, timeoutMs, maxAttempts, run };
}

/** A timer of Node.js with a longer time than 24 days strikes at once; whoever runs the step gives it a little more. */
const timerOf = (ms: number): number => Math.min(ms, 2 ** 31 - 60_000);

function backoffBefore(attempt: number, { options }: StepWork): number {
  return timerOf(Math.min(options.backoffMs * 2 ** (attempt - 2), options.maxBackoffMs));
}

async function runAttempt(effectId: string, attempt: number, step: StepWork): ReturnType<DueStep['run']> {
  try {
    const value = jsonCopy(await withinTime(step), `the result of step ${step.name}`);
    return { type: 'EFFECT_RESOLVED', data: { attempt, effectId, status: 'ok', value } };
  } catch (thrown) {
    return failedAttempt({ effectId, attempt, maxAttempts: step.options.maxAttempts }, errorInfoOf(thrown));
  }
}

/** What the journal shall have of an attempt that failed: that there is another one, or that this was the last, as one that was refused is. */
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

/** What is done at once needs no clock. */
function withinTime(step: StepWork): Promise<JsonValue> | JsonValue {
  const result = step.work();
  return typeof result === 'object' && result !== null && 'then' in result ? orTooLate(step, result) : result;
}

async function orTooLate({ name, options }: StepWork, result: Promise<JsonValue> | JsonValue): Promise<JsonValue> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const message = `step ${name} took longer than ${options.timeoutMs} ms`;
  const tooLong = () => reject(new ReinsError({ code: 'process_timed_out', message }));
  const timer = setTimeout(tooLong, timerOf(options.timeoutMs));
  try {
    return await Promise.race([result, late]);
  } finally {
    clearTimeout(timer);
  }
}
