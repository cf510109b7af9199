import { type Loaded, type OperatorSurfaceContext, parseOperatorSurface } from '@reins/runtime-config';
import type { Desktop } from '../staging/surfaces.ts';

const MAX_ANSWER_BYTES = 256 * 1024;
/** The desktop says that it has nothing to tell: no such workspace, or nothing open. */
const NOTHING = [404, 409];

/**
 * Asks the operator's desktop what they have in front of them.
 * @throws Error that names the status, never the address or the token
 */
export async function loadOperatorSurface(
  desktop: Desktop,
  workspaceId: string,
  signal: AbortSignal,
): Promise<Loaded<OperatorSurfaceContext>> {
  const headers = { 'x-holaboss-desktop-token': desktop.token, 'x-holaboss-workspace-id': workspaceId };
  const response = await fetch(`${desktop.url}/operator-surface-context`, { headers, signal, redirect: 'error' }).catch(
    () => {
      throw new Error('the desktop does not answer');
    },
  );
  if (NOTHING.includes(response.status)) {
    await response.body?.cancel();
    return { status: 'empty' };
  }
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`the desktop answers ${response.status}`);
  }
  const surface = parseOperatorSurface(parsed(await boundedText(response)));
  if (surface === null) throw new Error('the desktop answers with something else than surfaces');
  return { status: 'loaded', value: surface };
}

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_ANSWER_BYTES) throw new Error('the desktop answers with too much');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
