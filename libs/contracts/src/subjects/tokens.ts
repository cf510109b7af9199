import { ReinsError } from '../errors/reins-error.ts';

/** Ids stand in NATS subjects, so each is one token: letters, digits, `_` and `-`, at most 64 of them. */
const TOKEN = /^[A-Za-z0-9_-]{1,64}$/;

/** The token that stands for "no request" in the subject of an event that belongs to none. */
export const NO_REQUEST = '_';

export function isToken(value: unknown): value is string {
  return typeof value === 'string' && TOKEN.test(value);
}

/**
 * @throws ReinsError `token_invalid`
 */
export function assertToken(value: string, path: string): string {
  if (TOKEN.test(value)) return value;
  throw new ReinsError({
    code: 'token_invalid',
    message: `${JSON.stringify(value.slice(0, 80))} cannot stand in a subject`,
    path,
    hint: 'use 1 to 64 letters, digits, "_" or "-"',
  });
}
