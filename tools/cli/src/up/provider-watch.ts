import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ReinsError } from '@reins/contracts';
import { BUILT_IN_ADAPTERS, createRegistry, profileRuntimes } from '@reins/harness';
import type { Settings } from '@reins/service-kit/installation';
import { durationText } from '../output/run-lines.ts';

/** How long a start waits for a provider that refuses connections: it may be starting, too. */
const GIVE_UP_MS = 20_000;
const POLL_MS = 2_000;
const REPORT_MS = 5_000;
const CONNECT_MS = 2_000;
/** A call without a response after this time is repeated. */
const RESPONSE_MS = 15_000;

/** Nothing listens at the address, or no address belongs to the name. Other failures may pass by themselves. */
const UNREACHABLE: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

/** The settings that say which providers are used, and how long a start waits for their runtimes. */
export type Watched = Pick<Settings, 'providers' | 'runtimeProfile'> & {
  readonly limits: Pick<Settings['limits'], 'runtimeGraceMs'>;
};

/** How long a start waits, for tests. */
export interface WatchTimes {
  /** For a provider that cannot be reached. */
  readonly unreachableMs: number;
  /** For a provider that accepts connections without a response. */
  readonly silentMs: number;
}

/**
 * Ends a start whose providers all refuse connections, or accept them without a response: without a model, no runtime
 * that calls one becomes ready. Reports what it tries, and for how long. Returns when a provider responds, or the start
 * has ended.
 * @param signal aborts when the start has ended
 * @throws ReinsError `model_unavailable` after 20 s without a connection to any provider, and after
 *   `limits.runtimeGraceMs` if one accepts connections without a response
 */
export async function watchProviders(
  settings: Watched,
  note: (line: string) => void,
  signal: AbortSignal,
  times: WatchTimes = { unreachableMs: GIVE_UP_MS, silentMs: settings.limits.runtimeGraceMs },
): Promise<void> {
  const providers = Object.entries(settings.providers).map(([id, { baseUrl }]) => new WatchedProvider(id, baseUrl));
  if (providers.length === 0 || !callsModels(settings)) return;
  const since = performance.now();
  let reportedAt = Number.NEGATIVE_INFINITY;
  try {
    while (!signal.aborted) {
      const findings = await Promise.all(providers.map((provider) => provider.failure()));
      const failures = findings.filter((one) => one !== undefined);
      const [first] = failures;
      if (first === undefined || failures.length < findings.length || signal.aborted) return;
      const now = performance.now();
      const limitMs = failures.some(({ isSilent }) => isSilent) ? times.silentMs : times.unreachableMs;
      if (now - reportedAt >= REPORT_MS) {
        reportedAt = now;
        const action = first.isSilent ? 'waiting' : 'trying again';
        note(`${first.text}; ${action} (${durationText(now - since)} of ${durationText(limitMs)})`);
      }
      if (now - since >= limitMs) throw unavailable(failures, now - since);
      await sleep(Math.min(POLL_MS, limitMs), undefined, { signal }).catch(() => undefined);
    }
  } finally {
    for (const provider of providers) provider.close();
  }
}

/** Whether a runtime of the profile calls models. */
export function callsModels(settings: Pick<Settings, 'runtimeProfile'>): boolean {
  const registry = createRegistry(BUILT_IN_ADAPTERS);
  return profileRuntimes(settings).some(
    ({ runtimeId }) => registry.has(runtimeId) && registry.get(runtimeId).capabilities.model,
  );
}

interface Failure {
  readonly id: string;
  readonly text: string;
  /** Nothing refuses the connection, but there is no response. */
  readonly isSilent: boolean;
}

/** A provider whose endpoint is tried until it responds. */
class WatchedProvider {
  readonly #id: string;
  readonly #baseUrl: string;
  readonly #closed = new AbortController();
  /** The call that has no response yet. It resolves to whether its time was over. */
  #call: Promise<boolean> | undefined;

  constructor(id: string, baseUrl: string) {
    this.#id = id;
    this.#baseUrl = baseUrl;
  }

  /** Why the provider cannot be used; undefined if it can be, or if that is not known. */
  async failure(): Promise<Failure | undefined> {
    if (!URL.canParse(this.#baseUrl)) return undefined;
    const { protocol, hostname, port, host } = new URL(this.#baseUrl);
    const code = await connectionError(
      hostname.replace(/^\[|\]$/g, ''),
      Number(port) || (protocol === 'https:' ? 443 : 80),
    );
    const id = this.#id;
    if (code !== undefined && UNREACHABLE.has(code)) {
      this.#call = undefined;
      return { id, text: `provider ${id} could not be reached at ${protocol}//${host} (${code})`, isSilent: false };
    }
    const isConnected = code !== 'ETIMEDOUT';
    if (isConnected && !(await this.#isSilent())) return undefined;
    const text = isConnected ? 'accepts connections, but has not responded' : 'has not accepted a connection';
    return { id, text: `provider ${id} at ${protocol}//${host} ${text}`, isSilent: true };
  }

  close(): void {
    this.#closed.abort();
  }

  /** Any response, or any other failure, ends the silence. */
  async #isSilent(): Promise<boolean> {
    this.#call ??= hasNoResponse(this.#baseUrl, this.#closed.signal);
    const isSilent = await Promise.race([this.#call, sleep(CONNECT_MS, undefined, { ref: false })]);
    // The next check repeats a call whose time is over.
    if (isSilent) this.#call = undefined;
    return isSilent !== false;
  }
}

/** Calls an address without a key. Resolves to whether it has not responded in time. */
async function hasNoResponse(url: string, closed: AbortSignal): Promise<boolean> {
  try {
    const signal = AbortSignal.any([closed, AbortSignal.timeout(RESPONSE_MS)]);
    const { body } = await fetch(url, { redirect: 'manual', signal });
    await body?.cancel();
    return false;
  } catch (error) {
    return (error as Error).name === 'TimeoutError';
  }
}

function connectionError(host: string, port: number): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const socket = connect({ host, port, timeout: CONNECT_MS });
  socket.once('connect', () => resolve(undefined));
  socket.once('timeout', () => resolve('ETIMEDOUT'));
  socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code));
  return promise.finally(() => socket.destroy());
}

function unavailable(failures: readonly Failure[], ms: number): ReinsError {
  return new ReinsError(
    failures.map(({ id, text }) => ({
      code: 'model_unavailable' as const,
      message: `${text} for ${durationText(ms)}`,
      path: `providers.${id}.base_url`,
      hint: `Start the endpoint or correct providers.${id}.base_url, check it with \`reins doctor\`, and start again.`,
    })),
  );
}
