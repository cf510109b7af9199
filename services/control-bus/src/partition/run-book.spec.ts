import { expect, test } from '@jest/globals';
import { type Entry, type EntryDraft, type JournalStore, sealEntries } from '@reins/journal';
import type { RunPorts } from '../run/run-ports.ts';
import { RunBook } from './run-book.ts';

const run = { workspaceId: 'ws', runId: 'r1' };

/** A book, and a run that appends and settles under it. */
function opened() {
  let pages = 0;
  const book = new RunBook(() => {
    pages += 1;
  });
  let version = 0;
  let position = 0;
  const stored = async () => {
    position += 3;
    return { outcome: 'stored', position };
  };
  const journal = { append: stored } as unknown as JournalStore;
  const ports = book.watched(run, { journal, alarm: () => {} } as unknown as RunPorts);
  const append = async (type: string): Promise<void> => {
    const entries = sealEntries({ version, hash: '' }, [{ type, data: {} } as unknown as EntryDraft], '') as Entry[];
    version += 1;
    await ports.journal.append(run, { entries, epoch: 1 }, position);
  };
  return { book, append, settle: () => ports.alarm(undefined), pages: () => pages };
}

test('a run moves from its append until its alarm is set, and is gone when it settled at its end', async () => {
  const { book, append, settle } = opened();
  book.complete(new Map(), 1);
  await append('RUN_CREATED');
  expect(book.page()).toEqual({ seq: 3, runs: { 'ws.r1': 0 } });
  settle();
  expect(book.page()).toEqual({ seq: 3, runs: { 'ws.r1': 1 } });
  await append('RUN_COMPLETED');
  expect(book.page()).toEqual({ seq: 6, runs: { 'ws.r1': 0 } });
  expect(book.has(run)).toBe(true);
  settle();
  expect(book.page()).toEqual({ seq: 6, runs: {} });
});

test('there is no page before it knows what was there; what ended meanwhile is not taken in again', async () => {
  const { book, append, settle } = opened();
  await append('RUN_CREATED');
  await append('RUN_FAILED');
  settle();
  expect(book.page()).toBeUndefined();
  const before = new Map([
    ['ws.r1', 1],
    ['ws.r2', 7],
  ]);
  book.complete(before, 4);
  expect(book.page()).toEqual({ seq: 6, runs: { 'ws.r2': 7 } });
});

test('a page is due after so many commits', async () => {
  const { append, pages } = opened();
  for (let n = 0; n < 1_000; n += 1) await append('PROCESS_LOG');
  expect(pages()).toBe(1);
});
