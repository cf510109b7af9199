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

/** Nothing listens at the address, or no address belongs to the name. Other failures may pass by themselves. */
const UNREACHABLE: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

/** The settings that say which providers are used. */
export type Watched = Pick<Settings, 'providers' | 'runtimeProfile'>;

/**
 * Ends a start whose providers all refuse connections: without a model, no runtime that calls one becomes ready. Reports
 * what it tries, and for how long. Returns when a provider can be reached, or the start has ended.
 * @param signal aborts when the start has ended
 * @throws ReinsError `model_unavailable` after 20 s without a connection to any provider
 */
export async function watchProviders(
  settings: Watched,
  note: (line: string) => void,
  signal: AbortSignal,
  giveUpMs = GIVE_UP_MS,
): Promise<void> {
  const providers = Object.entries(settings.providers);
  if (providers.length === 0 || !callsModels(settings)) return;
  let since: number | undefined;
  let reportedAt = Number.NEGATIVE_INFINITY;
  while (!signal.aborted) {
    const failures = await Promise.all(providers.map(([id, { baseUrl }]) => failureOf(id, baseUrl)));
    const [first] = failures;
    if (first === undefined || failures.includes(undefined) || signal.aborted) return;
    const now = performance.now();
    since ??= now;
    if (now - since >= giveUpMs)
      throw unreachable(
        failures.filter((one) => one !== undefined),
        now - since,
      );
    if (now - reportedAt >= REPORT_MS) {
      reportedAt = now;
      note(`${first.text}; trying again (${durationText(now - since)} of ${durationText(giveUpMs)})`);
    }
    await sleep(Math.min(POLL_MS, giveUpMs), undefined, { signal }).catch(() => undefined);
  }
}

/** Whether a runtime of the profile calls models. */
function callsModels(settings: Watched): boolean {
  const registry = createRegistry(BUILT_IN_ADAPTERS);
  return profileRuntimes(settings).some(
    ({ runtimeId }) => registry.has(runtimeId) && registry.get(runtimeId).capabilities.model,
  );
}

interface Failure {
  readonly id: string;
  readonly text: string;
}

/** Why a provider cannot be reached; undefined if it can be, or if that is not known. */
async function failureOf(id: string, baseUrl: string): Promise<Failure | undefined> {
  if (!URL.canParse(baseUrl)) return undefined;
  const { protocol, hostname, port, host } = new URL(baseUrl);
  const code = await connectionError(
    hostname.replace(/^\[|\]$/g, ''),
    Number(port) || (protocol === 'https:' ? 443 : 80),
  );
  if (code === undefined || !UNREACHABLE.has(code)) return undefined;
  return { id, text: `provider ${id} cannot be reached at ${protocol}//${host} (${code})` };
}

function connectionError(host: string, port: number): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const socket = connect({ host, port, timeout: CONNECT_MS });
  socket.once('connect', () => resolve(undefined));
  socket.once('timeout', () => resolve(undefined));
  socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code));
  return promise.finally(() => socket.destroy());
}

function unreachable(failures: readonly Failure[], ms: number): ReinsError {
  return new ReinsError(
    failures.map(({ id, text }) => ({
      code: 'model_unavailable' as const,
      message: `${text} for ${durationText(ms)}`,
      path: `providers.${id}.base_url`,
      hint: `Start the endpoint or correct providers.${id}.base_url, check it with \`reins doctor\`, and start again.`,
    })),
  );
}
