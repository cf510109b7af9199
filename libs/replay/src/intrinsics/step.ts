import type { JsonValue } from '@reins/contracts';
import type { Execution } from '../engine/execution.ts';
import { STEP_DEFAULTS } from '../engine/step-attempt.ts';
import { misuse } from '../errors.ts';
import type { StepOptions } from '../process-context.ts';
import { assertCount, assertMilliseconds, definedOptions } from './options.ts';

/** The kind `step`: the caller of the coroutine runs it. */
export async function step<T extends JsonValue>(
  execution: Execution,
  name: string,
  work: () => Promise<T> | T,
  { key, ...own }: StepOptions = {},
): Promise<T> {
  if (typeof name !== 'string' || name.trim() === '') throw misuse('a step needs a non-empty name');
  const options = { ...STEP_DEFAULTS, ...definedOptions(own) };
  const { maxAttempts, timeoutMs } = options;
  const invocation = execution.identify({ kind: 'step', name, key, args: undefined });
  // A recorded call was valid when it was made, and is not validated again.
  if (!execution.host.isRecorded(invocation.effectId)) assertStep(work, options);
  const limits = { maxAttempts, runForMs: timeoutMs };
  return (await execution.requestEffect(invocation, { request: { name }, limits, step: { name, work, options } })) as T;
}

/** @throws ReinsError `process_invalid`, which names the option */
function assertStep(work: unknown, { maxAttempts, timeoutMs, backoffMs, maxBackoffMs }: StepOptions): void {
  if (typeof work !== 'function') throw misuse('the work of a step must be a function');
  assertCount(maxAttempts, 'maxAttempts');
  assertMilliseconds(timeoutMs, 'timeoutMs');
  assertMilliseconds(backoffMs, 'backoffMs', 0);
  assertMilliseconds(maxBackoffMs, 'maxBackoffMs', 0);
}
