import { describe, expect, test } from '@jest/globals';
import { journalSubject } from '@reins/contracts';
import { DamagedJournal, encodeCommit, memoryStream, sealEntries, streamJournalStore } from '@reins/journal';
import type { ProcessContext } from '@reins/replay';
import type { BuiltInProcess } from '../processes/built-in-process.ts';
import { type CrashAt, SimulatedCrash, SimulatedRun } from '../testing/simulated-run.ts';

/** Has a tool at work on a host, and a run inside it. */
const PROCESS: BuiltInProcess = {
  id: 'test',
  codeHash: 'v1',
  run: (context: ProcessContext) =>
    Promise.all([context.effect('tool.direct', { toolId: 't', args: {} }, { key: 'tool' }), context.child('other', 1)]),
};

const encoder = new TextEncoder();

/** A run whose journal somebody has written into, and whose owner is gone. */
async function damaged(text = 'no commit') {
  const stream = memoryStream();
  const run = new SimulatedRun(PROCESS, 'run1', streamJournalStore(stream));
  await run.submit();
  run.crash();
  const subject = journalSubject(run.run);
  const last = (await stream.read(subject)).at(-1)?.seq ?? 0;
  await stream.append(subject, encoder.encode(text), 'somebody', last);
  return { run, messages: async () => (await stream.read(subject)).length };
}

const signal = (run: SimulatedRun, key = 's') => run.send('command.signal', { idempotencyKey: key, name: 'go' });

const failures = (run: SimulatedRun) => run.published.filter(({ body }) => body.type === 'runtime.request.failed');

describe('a run whose journal is damaged', () => {
  test('fails as its next entry, and whoever works for it is told to stop', async () => {
    const { run, messages } = await damaged();
    const before = await messages();
    await signal(run);
    expect(failures(run)).toMatchObject([{ body: { error: { code: 'journal_corrupt' } }, terminal: true }]);
    expect(run.orders).toMatchObject([{ kind: 'cancel' }]);
    expect(run.posted.map(({ body }) => body.type)).toEqual(['command.run.submit', 'command.run.cancel']);
    expect(await messages()).toBe(before + 1);
    await expect(run.entries()).rejects.toThrow(DamagedJournal);
  });

  const PLACES: readonly CrashAt[] = ['before append', 'append', 'publish', 'post', 'leave'];
  test.each(PLACES)('is ended once, and told of once, whoever dies at %s', async (place) => {
    const { run, messages } = await damaged();
    const before = await messages();
    run.crashAt = place;
    await expect(signal(run)).rejects.toThrow(SimulatedCrash);
    run.crash();
    await signal(run);
    run.crash();
    await signal(run, 'late');
    expect(failures(run)).toHaveLength(1);
    expect(run.orders.length).toBeGreaterThan(0);
    expect(run.posted.map(({ body }) => body.type)).toEqual(['command.run.submit', 'command.run.cancel']);
    expect(await messages()).toBe(before + 1);
  });

  test('has ended as it did where it had ended before', async () => {
    const stream = memoryStream();
    const done: BuiltInProcess = { ...PROCESS, run: () => Promise.resolve('done') };
    const run = new SimulatedRun(done, 'run1', streamJournalStore(stream));
    await run.submit();
    run.crash();
    const subject = journalSubject(run.run);
    const messages = await stream.read(subject);
    await stream.append(subject, encoder.encode('no commit'), 'somebody', messages.at(-1)?.seq ?? 0);
    await signal(run);
    expect(failures(run)).toEqual([]);
    expect(await stream.read(subject)).toHaveLength(messages.length + 1);
  });

  test('is told as it ended where its owner died before that, and something lies behind its end', async () => {
    const stream = memoryStream();
    const waiting: BuiltInProcess['run'] = (context) => context.signal('go').then(() => 'done');
    const run = new SimulatedRun({ ...PROCESS, run: waiting }, 'run1', streamJournalStore(stream));
    await run.submit();
    run.crashAt = 'publish';
    await expect(signal(run)).rejects.toThrow(SimulatedCrash);
    run.crash();
    const subject = journalSubject(run.run);
    const last = (await stream.read(subject)).at(-1)?.seq ?? 0;
    await stream.append(subject, encoder.encode('no commit'), 'somebody', last);
    for (const key of ['late', 'later']) {
      await signal(run, key);
      run.crash();
    }
    expect(run.published.filter(({ terminal }) => terminal)).toMatchObject([
      { body: { type: 'runtime.request.completed', output: 'done' } },
    ]);
  });

  /** One that has ended, and whose last commit cannot be read any more: it is put in place of what a stream cannot change. */
  async function withoutItsEnd(run: BuiltInProcess['run']) {
    const stream = memoryStream();
    let hidden = 0;
    const port = {
      ...stream,
      read: async (subject: string) =>
        (await stream.read(subject)).map((message) =>
          message.seq === hidden ? { ...message, data: encoder.encode('no commit') } : message,
        ),
    };
    const ended = new SimulatedRun({ ...PROCESS, run }, 'run1', streamJournalStore(port));
    await ended.submit();
    await signal(ended, 'end');
    ended.crash();
    const subject = journalSubject(ended.run);
    hidden = (await stream.read(subject)).at(-1)?.seq ?? 0;
    return { run: ended, messages: async () => (await stream.read(subject)).length };
  }

  const ENDS: readonly (readonly [string, BuiltInProcess['run']])[] = [
    ['RUN_COMPLETED', (context) => context.signal('go').then(() => 'done')],
    ['RUN_HALTED', (context) => context.signal('go').then(() => context.halt('enough'))],
  ];
  test.each(ENDS)('has ended as it was told where the damage hides its end: %s', async (type, process) => {
    const { run, messages } = await withoutItsEnd(process);
    const told = run.types;
    expect(told).toContain('runtime.request.completed');
    const before = await messages();
    for (const key of ['s', 'late', 'later']) {
      await signal(run, key);
      run.crash();
    }
    expect(run.types).toEqual(told);
    expect(await messages()).toBe(before + 1);
    await expect(run.entries()).rejects.toMatchObject({ last: { type, data: { sealed: 'told' } } });
  });

  test('is left alone where it was archived', async () => {
    const stub = { archiveRef: { sha256: 'a'.repeat(64), size: 1 }, headHash: 'b', terminalType: 'RUN_COMPLETED' };
    const head = { version: 8, hash: 'b' };
    const entries = sealEntries(head, [{ type: 'RUN_ARCHIVED', data: stub }], '2026-01-01T00:00:00.000Z');
    const { run, messages } = await damaged(new TextDecoder().decode(encodeCommit({ entries, epoch: 1 })));
    const before = await messages();
    await expect(signal(run)).rejects.toThrow(DamagedJournal);
    expect(failures(run)).toEqual([]);
    expect(await messages()).toBe(before);
  });
});
