import { isReinsError, ReinsError } from '@reins/contracts';

/** SQLSTATE classes of a server that is not reachable, or has no room: connection, resources, operator intervention. */
const UNAVAILABLE = /^(08|53|57)/;

/**
 * Runs a query of a call.
 * @throws ReinsError `service_unavailable` when Postgres cannot be reached; other errors of the query unchanged
 */
export async function whileAvailable<T>(query: () => Promise<T>): Promise<T> {
  try {
    return await query();
  } catch (cause) {
    if (isReinsError(cause) || !isUnavailable(cause)) throw cause;
    const message = 'the memory service is unavailable: Postgres does not respond';
    throw new ReinsError({ code: 'service_unavailable', message }, { cause });
  }
}

/** An error of the server has a severity; one of the connection has none. */
function isUnavailable(error: unknown): boolean {
  const { severity, code } = error as { readonly severity?: unknown; readonly code?: unknown };
  return severity === undefined
    ? /connect|ECONN|EPIPE|terminated/i.test(String(error))
    : UNAVAILABLE.test(String(code));
}
