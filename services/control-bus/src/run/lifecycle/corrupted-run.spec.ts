import { describe, expect, test } from '@jest/globals';
import { journalSubject } from '@reins/contracts';
import { CorruptedJournalError, encodeCommit, memoryStream, sealEntries, streamJournalStore } from '@reins/journal';
import type { ProcessContext } from '@reins/replay';
import type { BuiltInProcess } from '../../processes/built-in-process.ts';
import { type CrashAt, SimulatedCrash, SimulatedRun } from '../../testing/simulated-run.ts';

/** Runs a tool on a host, and a child run. */
const PROCESS: BuiltInProcess = {
  id: 'test',
  codeHash: 'v1',
  run: (context: ProcessContext) =>
    Promise.all([context.effect('tool.direct', { toolId: 't', args: {} }, { key: 'tool' }), context.child('other', 1)]),
};

const encoder = new TextEncoder();

/** A run with a foreign message in its journal. Its owner has crashed. */
async function damaged(text = 'not a commit') {
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

describe('a run whose journal is corrupted', () => {
  test('fails on its next message, and cancels its effects and child runs', async () => {
    const { run, messages } = await damaged();
    const before = await messages();
    await signal(run);
    expect(failures(run)).toMatchObject([{ body: { error: { code: 'journal_corrupt' } }, terminal: true }]);
    expect(run.orders).toMatchObject([{ kind: 'cancel' }]);
    expect(run.posted.map(({ body }) => body.type)).toEqual(['command.run.submit', 'command.run.cancel']);
    expect(await messages()).toBe(before + 1);
    await expect(run.entries()).rejects.toThrow(CorruptedJournalError);
  });

  const PLACES: readonly CrashAt[] = ['before append', 'append', 'publish', 'post', 'leave'];
  test.each(PLACES)('fails and publishes that once, even if its owner crashes at: %s', async (place) => {
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

  test('keeps its end when it had ended before', async () => {
    const stream = memoryStream();
    const done: BuiltInProcess = { ...PROCESS, run: () => Promise.resolve('done') };
    const run = new SimulatedRun(done, 'run1', streamJournalStore(stream));
    await run.submit();
    run.crash();
    const subject = journalSubject(run.run);
    const messages = await stream.read(subject);
    await stream.append(subject, encoder.encode('not a commit'), 'somebody', messages.at(-1)?.seq ?? 0);
    await signal(run);
    expect(failures(run)).toEqual([]);
    expect(await stream.read(subject)).toHaveLength(messages.length + 1);
  });

  test('publishes its final event after a crash, even if a foreign message follows its last commit', async () => {
    const stream = memoryStream();
    const waiting: BuiltInProcess['run'] = (context) => context.signal('go').then(() => 'done');
    const run = new SimulatedRun({ ...PROCESS, run: waiting }, 'run1', streamJournalStore(stream));
    await run.submit();
    run.crashAt = 'publish';
    await expect(signal(run)).rejects.toThrow(SimulatedCrash);
    run.crash();
    const subject = journalSubject(run.run);
    const last = (await stream.read(subject)).at(-1)?.seq ?? 0;
    await stream.append(subject, encoder.encode('not a commit'), 'somebody', last);
    for (const key of ['late', 'later']) {
      await signal(run, key);
      run.crash();
    }
    expect(run.published.filter(({ terminal }) => terminal)).toMatchObject([
      { body: { type: 'runtime.request.completed', output: 'done' } },
    ]);
  });

  /** A run that has ended. Its last commit becomes unreadable afterwards. */
  async function withoutItsEnd(run: BuiltInProcess['run']) {
    const stream = memoryStream();
    let hidden = 0;
    const port = {
      ...stream,
      read: async (subject: string) =>
        (await stream.read(subject)).map((message) =>
          message.seq === hidden ? { ...message, data: encoder.encode('not a commit') } : message,
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
  test.each(ENDS)('keeps its published end when its last commit is unreadable: %s', async (type, process) => {
    const { run, messages } = await withoutItsEnd(process);
    const published = run.types;
    expect(published).toContain('runtime.request.completed');
    const before = await messages();
    for (const key of ['s', 'late', 'later']) {
      await signal(run, key);
      run.crash();
    }
    expect(run.types).toEqual(published);
    expect(await messages()).toBe(before + 1);
    await expect(run.entries()).rejects.toMatchObject({ last: { type, data: { sealed: 'told' } } });
  });

  test('is left unchanged when it was archived', async () => {
    const stub = { archiveRef: { sha256: 'a'.repeat(64), size: 1 }, headHash: 'b', terminalType: 'RUN_COMPLETED' };
    const head = { version: 8, hash: 'b' };
    const entries = sealEntries(head, [{ type: 'RUN_ARCHIVED', data: stub }], '2026-01-01T00:00:00.000Z');
    const { run, messages } = await damaged(new TextDecoder().decode(encodeCommit({ entries, epoch: 1 })));
    const before = await messages();
    await expect(signal(run)).rejects.toThrow(CorruptedJournalError);
    expect(failures(run)).toEqual([]);
    expect(await messages()).toBe(before);
  });
});
