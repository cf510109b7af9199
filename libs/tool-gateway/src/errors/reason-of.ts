import { isReinsError, type Problem } from '@reins/contracts';

/** Why something failed, for a user. The code of a missing sandbox says that the host is the problem, not the server. */
export function reasonOf(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  if (!isReinsError(error)) return reason;
  if (error.code === 'sandbox_unavailable') return `${error.code}: ${reason}`;
  return error.code === 'harness_start_failed' ? `could not be started: ${reason}` : reason;
}

/** Why a server is unavailable, for a user. The reasons of packages have their code and hint. */
export function unavailableReason({ code, message, hint }: Problem): string {
  return code.startsWith('mcp_package_') ? `${code}: ${message}. ${hint ?? ''}`.trimEnd() : message;
}
