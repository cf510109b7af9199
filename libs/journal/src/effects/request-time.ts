import type { JsonValue } from '@reins/contracts';
import type { RequestRule } from './effect-kind.ts';

/** The rule for a time in a request. */
export const TIME: RequestRule = ['must be a time such as 2026-01-31T12:00:00.000Z', isTime];

/** Like `TIME`, for a field that may be absent. */
export const OPTIONAL_TIME: RequestRule = [TIME[0], (value) => value === undefined || isTime(value)];

function isTime(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}
