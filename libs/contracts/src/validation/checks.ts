import type { Problem } from '../errors/problem.ts';
import type { JsonValue } from '../json.ts';

/** Validates the value at a path and adds its problems to `out`. */
export type Check = (value: unknown, at: string, out: Problem[]) => void;

const format = (pattern: RegExp, message: string) => ({ test: (text: string) => pattern.test(text), message });

/** The named formats of field rules (proto/reins/options/v1). */
export const FORMATS = {
  token: format(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, "_" or "-"'),
  sha256: format(/^[0-9a-f]{64}$/, 'must be a SHA-256 in lower-case hex'),
  timestamp: format(
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?Z$/,
    'must be a UTC time such as 2026-01-31T12:00:00.000Z',
  ),
};

export function isObject(value: unknown): value is Record<string, JsonValue | undefined> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

/** Adds a problem at this path. */
export function addProblem(out: Problem[], path: string, message: string): void {
  out.push({ code: 'message_invalid', message: `${path || 'the message'} ${message}`, path });
}
