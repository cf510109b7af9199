import type { JsonValue } from '@reins/contracts';
import type { Execution } from '../engine/execution.ts';
import { STEP_DEFAULTS } from '../engine/step-attempt.ts';
import { misuse } from '../errors.ts';
import type { StepOptions } from '../process-context.ts';
import { assertCount, assertMilliseconds, given } from './options.ts';

/** The kind `step`: done by whoever runs the coroutine. */
export async function step<T extends JsonValue>(
  execution: Execution,
  name: string,
  work: () => Promise<T> | T,
  { key, ...own }: StepOptions = {},
): Promise<T> {
  if (typeof name !== 'string' || name.trim() === '') throw misuse('a step has a name');
  const options = { ...STEP_DEFAULTS, ...given(own) };
  const { maxAttempts, timeoutMs } = options;
  const who = execution.identify({ kind: 'step', name, key, args: undefined });
  // What was recorded was taken once, and stays as it is.
  if (!execution.host.isRecorded(who.effectId)) assertStep(work, options);
  const limits = { maxAttempts, runForMs: timeoutMs };
  return (await execution.ask(who, { request: { name }, limits, step: { name, work, options } })) as T;
}

/** @throws ReinsError `process_invalid`, which names the option */
function assertStep(work: unknown, { maxAttempts, timeoutMs, backoffMs, maxBackoffMs }: StepOptions): void {
  if (typeof work !== 'function') throw misuse('the work of a step is a function');
  assertCount(maxAttempts, 'maxAttempts');
  assertMilliseconds(timeoutMs, 'timeoutMs');
  assertMilliseconds(backoffMs, 'backoffMs', 0);
  assertMilliseconds(maxBackoffMs, 'maxBackoffMs', 0);
}
