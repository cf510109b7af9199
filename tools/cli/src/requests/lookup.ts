import { isToken, ReinsError } from '@reins/contracts';
import { type CliContext, runFile } from '../context.ts';

/**
 * Where no installation is known there are run directories alone, and this was none of them.
 * @param address the variable that says where the part is that would know of it
 * @throws ReinsError `request_not_found`
 */
export function assertCanLookUp(
  { env, stateDir }: CliContext,
  requestId: string,
  address: 'REINS_NATS_URL' | 'REINS_URL' = 'REINS_NATS_URL',
): void {
  const isKnown = env[address] !== undefined || runFile(stateDir) !== undefined;
  if (isKnown && isToken(requestId)) return;
  const why = isKnown
    ? 'and no request can be called that'
    : 'and no installation is known here that had such a request';
  throw notFound(requestId, `there is no run directory ${requestId}, ${why}`);
}

export function notFound(requestId: string, message: string): ReinsError {
  const hint = 'give the path of a run directory, the id of a run, or of a request (`reins requests list`)';
  return new ReinsError({ code: 'request_not_found', message, path: requestId, hint });
}
