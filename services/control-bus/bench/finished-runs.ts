/**
 * Measures how a new owner finds its live runs among 100,000 ended ones and 100 live ones, with and without a live-run
 * snapshot: `npm run bench -- finished-runs`.
 */
import { Blobs, connectBus, OrderedPublisher, provision } from '@reins/bus';
import { journalSubject } from '@reins/contracts';
import { type EntryDraft, encodeCommit, sealEntries } from '@reins/journal';
import { startNats } from '@reins/testing';
import { liveRuns } from '../dist/partition/live-runs.js';
import type { LiveRunSnapshot } from '../src/partition/live-run-index.js';

const FINISHED = 100_000;
const LIVE = 100;
const ROUNDS = 5;
const AT = '2026-01-01T00:00:00.000Z';

const nats = await startNats();
const bus = await connectBus({ servers: nats.url, name: 'bench' });
await provision(bus, { managed: 'self', partitions: 1, replicas: 1, runtimeIds: [] });
const blobs = await Blobs.open(bus);
const publisher = new OrderedPublisher(bus);

for (let n = 0; n < FINISHED + LIVE; n += 1) {
  if (!publisher.publish(journal(`run-${n}`, n < FINISHED), failed)) await publisher.ready();
}
await publisher.settled();

const all = await liveRuns(bus, blobs, 0, undefined);
const snapshot: LiveRunSnapshot = { seq: all.position, runs: Object.fromEntries(all.open) };
const [withSnapshot, without]: number[][] = [[], []];
for (let round = 0; round < ROUNDS; round += 1) {
  withSnapshot?.push(await timed(snapshot));
  without?.push(await timed(undefined));
}
const result = {
  finished: FINISHED,
  live: all.owned.length,
  withSnapshotMs: median(withSnapshot),
  withoutMs: median(without),
};
console.log(JSON.stringify(result, null, process.argv.includes('--json') ? 0 : 2));
await publisher.close();
await bus.close();
await nats.stop();
process.exit(0);

function journal(runId: string, ended: boolean) {
  const created = {
    workspaceId: 'ws',
    sessionId: runId,
    agentId: 'main',
    revision: 'a'.repeat(64),
    process: { id: 'pipeline', codeHash: 'c' },
    inputs: { input: 'x'.repeat(300) },
    session: {},
    idempotencyKey: runId,
  };
  const end: EntryDraft[] = ended ? [{ type: 'RUN_COMPLETED', data: { output: 'done' } }] : [];
  const entries = sealEntries({ version: 0, hash: '' }, [{ type: 'RUN_CREATED', data: created }, ...end], AT);
  const subject = journalSubject({ workspaceId: 'ws', runId }, 1);
  const headers = { id: runId, type: 'commit', source: 'bench', time: AT };
  return { subject, data: encodeCommit({ entries, epoch: 1 }), headers };
}

function failed(error: Error | undefined): void {
  if (error) throw error;
}

async function timed(from: LiveRunSnapshot | undefined): Promise<number> {
  const startedAt = performance.now();
  await liveRuns(bus, blobs, 0, from);
  return performance.now() - startedAt;
}

function median(values: readonly number[] | undefined): number {
  return Math.round((values ?? []).toSorted((a, b) => a - b)[ROUNDS >> 1] as number);
}
