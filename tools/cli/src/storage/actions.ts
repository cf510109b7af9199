import { Blobs, type Bus, openBucket } from '@reins/bus';
import { ReinsError } from '@reins/contracts';
import {
  busRetentionPorts,
  type KeptRun,
  RETENTION_KEY,
  type Reference,
  type RetentionRecord,
  referencesTo,
  whyKept,
} from '@reins/control-bus/core';
import { openBusJournals } from '@reins/journal/bus';
import type { Settings } from '@reins/service-kit/installation';
import { withBus } from '../bus/with-bus.ts';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { table } from '../output/table.ts';
import { withRun } from '../requests/request-journal.ts';

const SHA256 = /^[0-9a-f]{64}$/;
/** The most references of a blob that are shown. */
const MAX_REFERENCES = 20;
const NANOS_PER_MS = 1_000_000;
const DAY_MS = 86_400_000;

/** What is stored in one stream. */
interface StoredStream {
  readonly stream: string;
  readonly messages: number;
  readonly bytes: number;
  readonly subjects: number;
  readonly kept: string;
}

/** Prints the size of each stream, bucket and object store, and the last sweep. */
export function storageShow(context: CliContext): Promise<ExitCode> {
  return withBus(context, async (bus, settings) => {
    const streams = await storedStreams(bus, settings);
    const sweep = (await (await openBucket<RetentionRecord>(bus, 'positions')).get(RETENTION_KEY))?.value ?? null;
    if (context.json) context.out(`${JSON.stringify({ streams, sweep })}\n`);
    else context.out(`${streamTable(streams)}\n\n${sweepLines(sweep).join('\n')}\n`);
    return EXIT.ok;
  });
}

async function storedStreams(bus: Bus, settings: Settings): Promise<StoredStream[]> {
  const found: StoredStream[] = [];
  for await (const { config, state } of bus.jsm.streams.list()) {
    const { messages, bytes, num_subjects: subjects = 0 } = state;
    const kept = keptIn(config.name, config.max_age / NANOS_PER_MS, settings);
    found.push({ stream: config.name, messages, bytes, subjects, kept });
  }
  return found.sort((a, b) => b.bytes - a.bytes);
}

/** How long a stream keeps its messages. */
function keptIn(stream: string, maxAgeMs: number, { retention }: Settings): string {
  if (maxAgeMs > 0) return spanOf(maxAgeMs);
  const runs = spanOf(retention.runsMs);
  if (stream === 'JOURNAL') return `until the run expires, ${runs} after it was archived`;
  if (stream === 'OBJ_blobs' || stream === 'OBJ_archive') return 'until two sweeps find no reference';
  if (stream === 'KV_sessions' || stream === 'KV_requests') return `until the run expires, and ${runs} as a notice`;
  return 'until it is handled or replaced';
}

const spanOf = (ms: number): string =>
  ms < DAY_MS ? `${Math.round(ms / 1_000)} s` : `${Math.round(ms / DAY_MS)} days`;

const streamTable = (streams: readonly StoredStream[]): string =>
  table(
    ['stream', 'messages', 'bytes', 'subjects', 'kept'],
    streams.map(({ stream, messages, bytes, subjects, kept }) => [
      stream,
      String(messages),
      String(bytes),
      String(subjects),
      kept,
    ]),
  );

function sweepLines(sweep: RetentionRecord | null): string[] {
  if (!sweep) return ['no sweep has ended yet'];
  const { endedAt, records, runs, sessions, objects = {} } = sweep;
  const kept = Object.entries(runs.kept).map(([reason, count]) => `${count} (${reason})`);
  return [
    `last sweep: ${endedAt}`,
    `expired: ${runs.expired} runs, ${sessions} sessions, ${records} requests without a run`,
    `old runs that are kept: ${kept.join(', ') || 'none'}`,
    ...Object.entries(objects).map(
      ([store, { objects: count, bytes, removed, removedBytes, suspects }]) =>
        `${store}: ${count} objects, ${bytes} bytes; removed: ${removed}, ${removedBytes} bytes; unused: ${suspects}`,
    ),
  ];
}

/** Explains why a run or a blob is kept. @throws ReinsError `blob_not_found`, `request_not_found`, `run_expired` */
export function storageWhy(context: CliContext, id: string): Promise<ExitCode> {
  return SHA256.test(id) ? whyBlob(context, id) : whyRun(context, id);
}

function whyBlob(context: CliContext, sha256: string): Promise<ExitCode> {
  return withBus(context, async (bus) => {
    const stores = await Promise.all([Blobs.open(bus), Blobs.open(bus, 'archive')]);
    // Not `has`, which would renew it.
    const found = await Promise.allSettled(stores.map((store) => store.get(sha256)));
    if (found.every(({ status }) => status === 'rejected'))
      throw new ReinsError({ code: 'blob_not_found', message: 'no object store has this object', path: sha256 });
    const references: Reference[] = [];
    for await (const reference of referencesTo(bus, sha256)) {
      references.push(reference);
      if (references.length === MAX_REFERENCES) break;
    }
    if (context.json) context.out(`${JSON.stringify({ sha256, references })}\n`);
    else if (references.length === 0) context.out('nothing refers to it: the second sweep from now removes it\n');
    else {
      const rows = references.map(({ in: place, name, time }) => [place, name, time.toISOString()]);
      context.out(`${table(['in', 'name', 'time'], rows)}\n`);
    }
    return EXIT.ok;
  });
}

function whyRun(context: CliContext, requestId: string): Promise<ExitCode> {
  return withRun(context, requestId, async ({ run }) =>
    withBus(context, async (bus, { nats, retention }) => {
      const [blobs, journals] = [await Blobs.open(bus), await openBusJournals(bus, nats)];
      const clock = { now: () => new Date() };
      const { partitions } = nats;
      const options = { bus, blobs, journals, partitions, clock, runsMs: retention.runsMs, isStopped: () => false };
      const kept = await whyKept(await busRetentionPorts(options), run);
      if (context.json) context.out(`${JSON.stringify({ requestId, ...kept })}\n`);
      else context.out(`${runLines(kept).join('\n')}\n`);
      return EXIT.ok;
    }),
  );
}

function runLines({ archivedAt, expiresAfter, reason }: KeptRun): string[] {
  return [
    ...(archivedAt ? [`archived: ${archivedAt}`] : []),
    ...(expiresAfter ? [`expires: after ${expiresAfter}`] : []),
    reason ? `kept: ${MEANINGS[reason]}` : 'the next sweep removes it',
  ];
}

const MEANINGS: Readonly<Record<NonNullable<KeptRun['reason']>, string>> = {
  active: 'its journal is in the stream: it has not ended, or has not been archived yet',
  age: 'it is too young to expire',
  events: 'its events are still in EVENTS',
  needed: 'a message, a dead letter, or a request that waits in its session names it',
  parent: 'it is a child run, and its parent is kept',
  child: 'a child run of it has not been archived',
};
