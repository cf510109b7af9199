import { parseJournalSubject, type RunAddress } from '@reins/contracts';
import {
  isDormant,
  isOpen,
  type LiveRunSnapshot,
  LiveRunSnapshots,
  type LiveRuns,
  type LiveRunsPorts,
  liveRunsAmong,
  runKeyOf,
  runsOf,
} from '@reins/control-bus/core';
import type { Entry } from '@reins/journal';
import type { Server } from '../server/server.ts';
import { bucketOf } from './buckets.ts';
import type { Machine } from './machine.ts';

/** A snapshot after every commit, after five, or only on release. */
const SNAPSHOT_EVERY = [1, 5, 1_000] as const;

/** Stands in for `openLiveRuns` of the control bus. */
export function simulatedLiveRuns(machine: Machine, server: Server, log: LiveRunsPorts['log']): LiveRunsPorts {
  const snapshots = new LiveRunSnapshots({
    bucket: bucketOf(machine, server.snapshots, 'snapshot'),
    blobs: { put: unexpectedLarge, get: unexpectedLarge, remove: unexpectedLarge },
    stream: () =>
      machine.call('look at journals', () => ({ created: server.created, lastSeq: server.journals.allCommits.length })),
    commitAt: async (seq) => server.journals.allCommits[seq - 1]?.msgId,
    log,
  });
  return {
    snapshots,
    log,
    find: (partition, snapshot) => machine.call('list runs', () => liveRunsOf(server, partition, snapshot)),
    snapshotEvery: machine.random.pick(SNAPSHOT_EVERY),
  };
}

/** With so few runs, no snapshot becomes a blob. */
async function unexpectedLarge(): Promise<never> {
  throw new Error('unexpected large snapshot');
}

/** Stands in for `liveRuns` of the control bus. */
function liveRunsOf({ inbox, journals }: Server, partition: number, snapshot: LiveRunSnapshot | undefined): LiveRuns {
  const runs = snapshot ? runsOf(snapshot) : new Map<string, { version: number; type?: string }>();
  const dormant = new Set<string>();
  let position = snapshot?.seq ?? 0;
  for (const [subject, commits] of journals.bySubject) {
    const address = parseJournalSubject(subject);
    const last = commits.at(-1);
    if (address?.partition !== partition || !last) continue;
    const name = runKeyOf(address);
    const entry = last.commit.entries.at(-1) as Entry;
    position = Math.max(position, last.seq);
    if (snapshot && last.seq > snapshot.seq && entry.type === 'RUN_ARCHIVED') runs.delete(name);
    else if (snapshot ? last.seq > snapshot.seq : isOpen(entry))
      runs.set(name, { version: entry.version, type: entry.type });
    if (isOpen(entry) && isDormant(entry, timerVersions(inbox, partition, address))) dormant.add(name);
  }
  return liveRunsAmong(dormant, runs, position);
}

function timerVersions(
  { schedules }: Server['inbox'],
  partition: number,
  { workspaceId, runId }: RunAddress,
): (string | undefined)[] {
  const prefix = `schedule.${partition}.${workspaceId}.${runId}.`;
  return [...schedules].filter(([name]) => name.startsWith(prefix)).map(([, { version }]) => version);
}
