import { ReinsError } from '../errors/reins-error.ts';

/** Ids are part of NATS subjects, so each is one token: 1 to 64 letters, digits, `_` or `-`. */
const TOKEN = /^[A-Za-z0-9_-]{1,64}$/;

/** The request token in the subject of an event without a request. */
export const NO_REQUEST = '_';

/** The agent of a request that names none: the default agent of its workspace. */
export const DEFAULT_AGENT = 'main';

export function isToken(value: unknown): value is string {
  return typeof value === 'string' && TOKEN.test(value);
}

/**
 * Returns the value if it is a valid token.
 * @throws ReinsError `token_invalid`
 */
export function assertToken(value: string, path: string): string {
  if (TOKEN.test(value)) return value;
  throw new ReinsError({
    code: 'token_invalid',
    message: `${JSON.stringify(value.slice(0, 80))} is not a valid subject token`,
    path,
    hint: 'Use 1 to 64 letters, digits, "_" or "-".',
  });
}
