import { ProtocolError, ProtocolErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { isObject, type JsonValue, ReinsError } from '@reins/contracts';

/** The newest revision of the protocol that the client speaks. It has another handshake than the earlier ones. */
export const NEWEST_REVISION = '2026-07-28';

/** Whether a server refused the handshake of the earlier revisions because it does not speak them. */
export function needsNewestRevision(error: unknown): boolean {
  const cause = error instanceof ReinsError ? error.cause : error;
  if (cause instanceof ProtocolError) return cause.code === ProtocolErrorCode.UnsupportedProtocolVersion;
  return cause instanceof SdkHttpError && codeIn(cause.data.text) === ProtocolErrorCode.UnsupportedProtocolVersion;
}

/** The code of an error in the body of a response. */
function codeIn(text: unknown): JsonValue | undefined {
  try {
    const body = JSON.parse(String(text)) as JsonValue;
    return isObject(body) && isObject(body.error) ? body.error.code : undefined;
  } catch {
    return undefined;
  }
}
