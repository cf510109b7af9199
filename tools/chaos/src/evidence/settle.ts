import { setTimeout as sleep } from 'node:timers/promises';
import { readProjectionPosition } from '@reins/store';
import type { AcceptedRequest } from '../load/load.ts';
import type { EvidenceSources } from './collect.ts';
import type { Observer } from './observer.ts';
import { journalledRuns } from './stored-requests.ts';

const POLL_MS = 250;
/** How long acknowledgements and the read model may make no progress. */
const QUIET_TIMEOUT_MS = 90_000;
const HELP_INTERVAL_MS = 5_000;
const TERMINAL = 'runtime.request.*.>';
const ENDS = /^runtime\.request\.(?:completed|failed|cancelled)\.[^.]+\.([^.]+)$/;

export interface SettleOptions {
  readonly accepted: readonly AcceptedRequest[];
  /** Requests that have to end only if they have a journal. */
  readonly uncertain: readonly AcceptedRequest[];
  /** Called from time to time with the requests that have not ended. */
  readonly help: (open: readonly AcceptedRequest[]) => Promise<void>;
  readonly timeoutMs: number;
  readonly log: (line: string) => void;
}

/**
 * Waits until every accepted request has ended, and everything is acknowledged and projected. Gives up when there is no
 * progress for a while; the checks then report what is missing.
 */
export async function settle(
  witnesses: Pick<EvidenceSources, 'observer' | 'db'>,
  { accepted, uncertain, help, timeoutMs, log }: SettleOptions,
): Promise<void> {
  const { observer, db } = witnesses;
  let helpAt = performance.now() + HELP_INTERVAL_MS;
  const open = async (): Promise<number> => {
    const ended = await endedRequests(observer);
    const known = uncertain.length === 0 ? new Set() : await journalledRuns(observer);
    const found = [...accepted, ...uncertain.filter(({ requestId }) => known.has(requestId))].filter(
      ({ requestId }) => !ended.has(requestId),
    );
    if (performance.now() > helpAt) {
      await help(found);
      helpAt = performance.now() + HELP_INTERVAL_MS;
    }
    return found.length;
  };
  await untilZero('requests have not ended', open, timeoutMs, log);
  await untilZero('messages are not delivered or not acknowledged', () => outstanding(observer), QUIET_TIMEOUT_MS, log);
  // A message that was outstanding may have started a request of which nothing was known.
  await untilZero('requests have not ended', open, timeoutMs, log);
  const behind = async (): Promise<number> => {
    const checkpoint = await readProjectionPosition(db).catch(() => undefined);
    return (await observer.lastSeq('EVENTS')) - (checkpoint?.seq ?? 0);
  };
  await untilZero('events are not projected', behind, QUIET_TIMEOUT_MS, log);
}

async function endedRequests(observer: Observer): Promise<ReadonlySet<string>> {
  const subjects = [...(await observer.subjects('EVENTS', TERMINAL)).keys()];
  return new Set(subjects.flatMap((subject) => ENDS.exec(subject)?.[1] ?? []));
}

async function outstanding(observer: Observer): Promise<number> {
  const durables = [...(await observer.durables('EVENTS')), ...(await observer.durables('INBOX'))];
  const inbox = await observer.subjects('INBOX', '>');
  return durables.reduce((sum, { pending, unacknowledged }) => sum + pending + unacknowledged, inbox.size);
}

async function untilZero(
  what: string,
  count: () => Promise<number>,
  timeoutMs: number,
  log: (line: string) => void,
): Promise<void> {
  let giveUpAt = performance.now() + timeoutMs;
  let previous = Number.POSITIVE_INFINITY;
  let least = Number.POSITIVE_INFINITY;
  for (;;) {
    const left = await count();
    if (left === 0) return;
    // A slow machine may take long. Only progress matters: a count that goes up and down is none.
    if (left < least) giveUpAt = performance.now() + timeoutMs;
    least = Math.min(least, left);
    if (performance.now() > giveUpAt) return log(`no progress for ${timeoutMs} ms: ${left} ${what}`);
    if (left !== previous) log(`${left} ${what}`);
    previous = left;
    await sleep(POLL_MS);
  }
}
