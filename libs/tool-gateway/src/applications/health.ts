import { setTimeout as sleep } from 'node:timers/promises';

export interface HealthCheck {
  readonly url: string;
  readonly timeoutMs: number;
  readonly intervalMs: number;
  readonly fetch: typeof fetch;
}

const FIRST_MS = 50;
const RESPONSE_MS = 5000;
const NO_RESPONSE = 'its health check does not respond';

/**
 * Polls a URL until it returns 2xx. The first polls follow quickly, later ones at the interval of the manifest.
 * @returns why the application is not healthy; undefined when it is
 */
export async function waitForHealth(
  { timeoutMs, intervalMs, ...target }: HealthCheck,
  signal: AbortSignal,
): Promise<string | undefined> {
  const until = performance.now() + timeoutMs;
  let lastResponse: string | undefined;
  for (let pause = FIRST_MS; ; pause = Math.min(intervalMs, pause * 2)) {
    const left = Math.max(1, Math.ceil(until - performance.now()));
    const problem = await poll(target, AbortSignal.any([signal, AbortSignal.timeout(Math.min(RESPONSE_MS, left))]));
    if (problem === undefined) return undefined;
    signal.throwIfAborted();
    // The last poll may have little time, so an earlier response explains more than its timeout.
    if (problem !== NO_RESPONSE) lastResponse = problem;
    if (performance.now() + pause >= until)
      return `${lastResponse ?? NO_RESPONSE}, for ${Math.round(timeoutMs / 1000)} s`;
    await sleep(pause, undefined, { signal });
  }
}

async function poll(
  { url, fetch: fetchIt }: Pick<HealthCheck, 'url' | 'fetch'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const response = await fetchIt(url, { signal });
    await response.body?.cancel();
    return response.ok ? undefined : `its health check returns ${response.status}`;
  } catch {
    return NO_RESPONSE;
  }
}
