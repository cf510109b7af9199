import type { RequestRecord } from '../generated/types.ts';
import { ReinsError } from './reins-error.ts';

/**
 * Checks that the run of a request still exists.
 * @param path the input that names the request
 * @throws ReinsError `run_expired`
 */
export function assertNotExpired(
  { requestId, expiredAt }: Pick<RequestRecord, 'requestId' | 'expiredAt'>,
  path: string,
): void {
  if (expiredAt === undefined) return;
  throw new ReinsError({
    code: 'run_expired',
    message: `the run of request ${requestId} expired at ${expiredAt}`,
    path,
    hint: 'Runs are kept for `retention.runsMs` after they were archived.',
  });
}
