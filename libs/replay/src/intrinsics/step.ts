import type { JsonValue } from '@reins/contracts';
import type { Execution } from '../engine/execution.ts';
import { STEP_DEFAULTS } from '../engine/step-attempt.ts';
import { misuse } from '../errors.ts';
import type { StepOptions } from '../process-context.ts';

/** The kind `step`: done by whoever runs the coroutine. */
export async function step<T extends JsonValue>(
  execution: Execution,
  name: string,
  work: () => Promise<T> | T,
  { key, ...own }: StepOptions = {},
): Promise<T> {
  if (typeof name !== 'string' || name.trim() === '') throw misuse('a step has a name');
  const options = { ...STEP_DEFAULTS, ...own };
  const { maxAttempts, timeoutMs } = options;
  const who = execution.identify({ kind: 'step', name, key, args: undefined });
  const limits = { maxAttempts, runForMs: timeoutMs };
  return (await execution.ask(who, { request: { name }, limits, step: { name, work, options } })) as T;
}
