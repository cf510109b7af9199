import { expect, test } from '@jest/globals';
import { candidatesAfter } from './candidates.ts';
import type { JournalCommit, StoredFact } from './reconciler-ports.ts';

const ANCHOR = { journal: { seq: 0 }, events: { seq: 0 } };
const commit = (runId: string): JournalCommit => ({
  run: { workspaceId: 'ws', runId },
  firstVersion: 1,
  lastVersion: 2,
  isStub: false,
});

test('a search ends when the lease is lost', async () => {
  const lease = new AbortController();
  const read: string[] = [];
  const streams = {
    async *commits(): AsyncGenerator<JournalCommit> {
      for (const runId of ['a', 'b', 'c']) {
        if (runId === 'b') lease.abort(new Error('the lease is lost'));
        read.push(runId);
        yield commit(runId);
      }
    },
    async *facts(): AsyncGenerator<StoredFact> {
      read.push('facts');
      yield* [];
    },
  };
  await expect(candidatesAfter(streams, 0, ANCHOR, lease.signal)).rejects.toThrow('the lease is lost');
  expect(read).toEqual(['a', 'b']);
});
