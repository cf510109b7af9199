import { type Loaded, type OperatorSurfaceContext, parseOperatorSurface } from '@reins/runtime-config';
import type { Desktop } from '../staging/surfaces.ts';

const MAX_RESPONSE_BYTES = 256 * 1024;
/** The desktop has no such workspace, or no open surface. */
const EMPTY_STATUSES = [404, 409];

/**
 * Loads the surfaces that the operator has open from the operator's desktop.
 * @throws Error with the status, but without the address or the token
 */
export async function loadOperatorSurface(
  desktop: Desktop,
  workspaceId: string,
  signal: AbortSignal,
): Promise<Loaded<OperatorSurfaceContext>> {
  const headers = { 'x-holaboss-desktop-token': desktop.token, 'x-holaboss-workspace-id': workspaceId };
  const response = await fetch(`${desktop.url}/operator-surface-context`, { headers, signal, redirect: 'error' }).catch(
    () => {
      throw new Error('the desktop did not respond');
    },
  );
  if (EMPTY_STATUSES.includes(response.status)) {
    await response.body?.cancel();
    return { status: 'empty' };
  }
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`the desktop responded with status ${response.status}`);
  }
  const surface = parseOperatorSurface(parseJsonOrUndefined(await boundedText(response)));
  if (surface === null) throw new Error('the desktop returned an invalid response');
  return { status: 'loaded', value: surface };
}

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_RESPONSE_BYTES) throw new Error('the response of the desktop is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseJsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
