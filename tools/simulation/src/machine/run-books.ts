import { parseJournalSubject, type RunAddress } from '@reins/contracts';
import {
  type BookPage,
  isAsleep,
  isOpen,
  type LiveRuns,
  liveRunsAmong,
  nameOf,
  RunBooks,
  RunPages,
  runsOf,
} from '@reins/control-bus/core';
import type { Entry } from '@reins/journal';
import type { Server } from '../server/server.ts';
import { bucketOf } from './buckets.ts';
import type { Machine } from './machine.ts';

/** Often, or never, but when it leaves. */
const PAGE_AFTER = [1, 5, 1_000] as const;

/** What `RunBooks.open` of the control bus has over a bus. */
export function simulatedBooks(
  machine: Machine,
  server: Server,
  log: ConstructorParameters<typeof RunBooks>[0]['log'],
): RunBooks {
  const pages = new RunPages({
    bucket: bucketOf(machine, server.pages, 'page'),
    long: { put: tooLong, get: tooLong, remove: tooLong },
    stream: () =>
      machine.call('look at journals', () => ({ created: server.created, lastSeq: server.journals.ever.length })),
    log,
  });
  return new RunBooks({
    pages,
    log,
    liveRuns: (partition, page) => machine.call('list runs', () => liveRunsOf(server, partition, page)),
    pageAfter: machine.random.pick(PAGE_AFTER),
  });
}

/** No page of so few runs lies beside its bucket. */
async function tooLong(): Promise<never> {
  throw new Error('this page is too long for a bucket');
}

/** What `liveRuns` of the control bus finds in the streams. */
function liveRunsOf({ inbox, journals }: Server, partition: number, page: BookPage | undefined): LiveRuns {
  const runs = page ? runsOf(page) : new Map<string, { version: number; type?: string }>();
  const asleep = new Set<string>();
  let position = page?.seq ?? 0;
  for (const [subject, commits] of journals.bySubject) {
    const address = parseJournalSubject(subject);
    const last = commits.at(-1);
    if (address?.partition !== partition || !last) continue;
    const name = nameOf(address);
    const entry = last.commit.entries.at(-1) as Entry;
    position = Math.max(position, last.seq);
    if (page && last.seq > page.seq && entry.type === 'RUN_ARCHIVED') runs.delete(name);
    else if (page ? last.seq > page.seq : isOpen(entry)) runs.set(name, { version: entry.version, type: entry.type });
    if (isOpen(entry) && isAsleep(entry, timerVersions(inbox, partition, address))) asleep.add(name);
  }
  return liveRunsAmong(asleep, runs, position);
}

function timerVersions(
  { schedules }: Server['inbox'],
  partition: number,
  { workspaceId, runId }: RunAddress,
): (string | undefined)[] {
  const prefix = `schedule.${partition}.${workspaceId}.${runId}.`;
  return [...schedules].filter(([name]) => name.startsWith(prefix)).map(([, { version }]) => version);
}
