import { isObject, type Limits } from '@reins/contracts';
import { MAX_DURATION_MS } from '@reins/journal';
import { misuse } from '../errors.ts';

/** @throws ReinsError `process_invalid`, which names the option */
export function assertCount(value: unknown, option: string): void {
  assertIntegerInRange(value, option, 1, Number.MAX_SAFE_INTEGER);
}

/** @throws ReinsError `process_invalid`, which names the option */
export function assertMilliseconds(value: unknown, option: string, min = 1): void {
  assertIntegerInRange(value, option, min, MAX_DURATION_MS);
}

function assertIntegerInRange(value: unknown, option: string, min: number, max: number): void {
  if (Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max) return;
  throw misuse(`${option} must be an integer from ${min} to ${max} (got ${shown(value)})`);
}

/** @throws ReinsError `process_invalid`, which names the option */
export function assertText(value: unknown, option: string): void {
  if (typeof value !== 'string' || value.trim() === '')
    throw misuse(`${option} must be a non-empty string (got ${shown(value)})`);
}

/** Labels are optional. @throws ReinsError `process_invalid` */
export function assertLabel(label: unknown): void {
  if (label === undefined || label === null || typeof label === 'string') return;
  throw misuse(`the label must be a string (got ${shown(label)})`);
}

const oneOf =
  (...allowed: readonly string[]) =>
  (value: unknown, option: string): void => {
    if (!allowed.includes(value as string))
      throw misuse(`${option} must be one of ${allowed.join(', ')} (got ${shown(value)})`);
  };

const LIMITS: { readonly [name in keyof Limits]-?: (value: unknown, option: string) => void } = {
  startWithinMs: assertMilliseconds,
  prepareForMs: assertMilliseconds,
  runForMs: assertMilliseconds,
  maxAttempts: assertCount,
  onUnknown: oneOf('retry', 'fail', 'ask'),
  onTimeout: oneOf('retry', 'fail'),
  onNoHost: oneOf('wait', 'fail'),
};

/** @throws ReinsError `process_invalid`, which names the limit */
export function assertLimits(limits: unknown): void {
  if (limits === undefined) return;
  if (!isObject(limits)) throw misuse(`limits must be an object (got ${shown(limits)})`);
  for (const [name, value] of Object.entries(definedOptions(limits))) {
    if (!Object.hasOwn(LIMITS, name))
      throw misuse(`unknown limit limits.${name}`, `Use ${Object.keys(LIMITS).join(', ')}.`);
    LIMITS[name as keyof Limits](value, `limits.${name}`);
  }
}

/** Removes undefined options, so that they do not override defaults. */
export function definedOptions<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;
}

const shown = (value: unknown): string => (typeof value === 'string' ? JSON.stringify(value) : String(value));
