import { expect, test } from '@jest/globals';
import type { StoredFact } from './reconciler-ports.ts';
import { ScanTurns } from './scan-turns.ts';
import { type LoggedFact, SharedFactScan } from './shared-fact-scan.ts';

const PARTITIONS = 4;
const LEASE = new AbortController().signal;

const logged = (seq: number): LoggedFact => ({
  seq,
  partition: seq % PARTITIONS,
  fact: { run: { workspaceId: 'ws', runId: `r${seq}` }, id: `r${seq}.1`, version: seq, terminal: false },
});

/** A log of 40 facts, and where each read of it began. */
function logOfFacts(): { readonly reads: number[]; readonly read: (after: number) => AsyncGenerator<LoggedFact> } {
  const reads: number[] = [];
  async function* read(after: number): AsyncGenerator<LoggedFact> {
    reads.push(after);
    for (let seq = after + 1; seq <= 40; seq++) yield logged(seq);
  }
  return { reads, read };
}

async function all(facts: AsyncIterable<StoredFact>): Promise<number[]> {
  const versions: number[] = [];
  for await (const { version } of facts) versions.push(version);
  return versions;
}

test('partitions that are compared together read the event log once, and each gets its own facts', async () => {
  const { reads, read } = logOfFacts();
  const turns = new ScanTurns();
  const scan = new SharedFactScan(turns, read);
  const commits = async function* () {
    yield 1;
  };
  const compare = async (partition: number, after: number): Promise<number[]> => {
    for await (const _ of turns.run(commits));
    return all(scan.factsOf(partition, after, LEASE));
  };
  const found = await Promise.all([compare(0, 20), compare(1, 8), compare(2, 38), compare(3, 40)]);
  expect(found).toEqual([[24, 28, 32, 36, 40], [9, 13, 17, 21, 25, 29, 33, 37], [], []]);
  expect(reads).toEqual([8]);
});

test('a partition that asks during a scan gets the next one', async () => {
  const { reads, read } = logOfFacts();
  const later: Promise<number[]>[] = [];
  const scan: SharedFactScan = new SharedFactScan(new ScanTurns(), async function* (after) {
    if (reads.length === 0) later.push(all(scan.factsOf(1, 36, LEASE)));
    yield* read(after);
  });
  expect(await all(scan.factsOf(0, 35, LEASE))).toEqual([36, 40]);
  expect(await Promise.all(later)).toEqual([[37]]);
  expect(reads).toEqual([35, 36]);
});

test('a partition that has lost its lease waits no longer; a scan ends when all have lost theirs', async () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const read: number[] = [];
  const scan = new SharedFactScan(new ScanTurns(), async function* () {
    for (let seq = 1; seq <= 40; seq++) {
      if (seq === 10) first.abort(new Error('lost'));
      if (seq === 20) second.abort(new Error('lost, too'));
      read.push(seq);
      yield logged(seq);
    }
  });
  const ends = [first, second].map(({ signal }, partition) => all(scan.factsOf(partition, 0, signal)));
  await expect(Promise.allSettled(ends)).resolves.toMatchObject([
    { reason: new Error('lost') },
    { reason: new Error('lost, too') },
  ]);
  expect(read.at(-1)).toBe(20);
  await expect(all(scan.factsOf(2, 0, first.signal))).rejects.toThrow('lost');
});

test('all partitions get the error of a log that cannot be read, and the next scan starts again', async () => {
  const { read } = logOfFacts();
  let isAway = true;
  const scan = new SharedFactScan(new ScanTurns(), async function* (after) {
    if (isAway) throw new Error('the server is away');
    yield* read(after);
  });
  const ends = await Promise.allSettled([all(scan.factsOf(0, 30, LEASE)), all(scan.factsOf(1, 30, LEASE))]);
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isAway = false;
  expect(await all(scan.factsOf(1, 30, LEASE))).toEqual([33, 37]);
});
