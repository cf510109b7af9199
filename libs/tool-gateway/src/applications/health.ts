import { setTimeout as sleep } from 'node:timers/promises';

export interface HealthCheck {
  readonly url: string;
  readonly withinMs: number;
  readonly everyMs: number;
}

const FIRST_MS = 50;
const ANSWER_MS = 5000;
const NO_ANSWER = 'its health check does not answer';

/**
 * Asks until the answer is a good one. The first looks come quickly, the later ones as often as the manifest says.
 * @returns why it is not well; undefined when it is
 */
export async function waitForHealth(
  { url, withinMs, everyMs }: HealthCheck,
  signal: AbortSignal,
): Promise<string | undefined> {
  const until = performance.now() + withinMs;
  let answer: string | undefined;
  for (let pause = FIRST_MS; ; pause = Math.min(everyMs, pause * 2)) {
    const left = Math.max(1, Math.ceil(until - performance.now()));
    const said = await ask(url, AbortSignal.any([signal, AbortSignal.timeout(Math.min(ANSWER_MS, left))]));
    if (said === undefined) return undefined;
    signal.throwIfAborted();
    // The last look has little time: what it missed says less than what was answered before.
    if (said !== NO_ANSWER) answer = said;
    if (performance.now() + pause >= until) return `${answer ?? NO_ANSWER}, for ${Math.round(withinMs / 1000)} s`;
    await sleep(pause, undefined, { signal });
  }
}

async function ask(url: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const response = await fetch(url, { signal });
    await response.body?.cancel();
    return response.ok ? undefined : `its health check answers ${response.status}`;
  } catch {
    return NO_ANSWER;
  }
}
