import { isToken, ReinsError } from '@reins/contracts';
import { type CliContext, runFile } from '../context.ts';

/**
 * Checks that a request of this id could be looked up. Call it when there is no run directory of that name.
 * @param address the environment variable with the address that the lookup needs
 * @throws ReinsError `request_not_found`
 */
export function assertCanLookUp(
  { env, stateDir }: CliContext,
  requestId: string,
  address: 'REINS_NATS_URL' | 'REINS_URL' = 'REINS_NATS_URL',
): void {
  const isKnown = env[address] !== undefined || runFile(stateDir) !== undefined;
  if (isKnown && isToken(requestId)) return;
  const reason = isKnown
    ? 'and it is not a valid request id'
    : `and no system is running to look up request "${requestId}"`;
  throw notFound(requestId, `no run directory "${requestId}", ${reason}`);
}

export function notFound(requestId: string, message: string): ReinsError {
  const hint = 'Pass the path of a run directory, a run id or a request id (`reins requests list`).';
  return new ReinsError({ code: 'request_not_found', message, path: requestId, hint });
}
