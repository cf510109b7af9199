import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { encodeCommit } from '../entries/commit-codec.ts';
import { type Entry, type EntryDraft, sealEntries } from '../entries/entry.ts';
import { CREATED, draft, JournalBuilder, journals, RUN, requestedDraft } from '../testing/journals.ts';
import { verifyEntries } from '../verify/verify-entries.ts';
import { CorruptedJournalError } from './corrupted-journal-error.ts';
import type { StreamMessage } from './stream-port.ts';
import { streamJournalLoader } from './stream-store.ts';

/** Each entry as its own commit. */
const messagesOf = (entries: readonly Entry[]): StreamMessage[] =>
  entries.map((entry, i) => ({ seq: i + 1, data: encodeCommit({ entries: [entry], epoch: 3 }) }));

/** The corruption of the journal in these messages. */
async function damageOf(messages: readonly StreamMessage[]): Promise<CorruptedJournalError> {
  try {
    await streamJournalLoader({ read: async () => messages })(RUN);
  } catch (error) {
    if (error instanceof CorruptedJournalError) return error;
  }
  throw new Error('the journal is valid');
}

const unreadableMessage = (seq: number): StreamMessage => ({
  seq,
  data: new TextEncoder().encode('{"not": "a commit"}'),
});

const { entries } = new JournalBuilder().add(
  CREATED,
  requestedDraft('e1', 'task', { name: 'a' }),
  requestedDraft('e2', 'task', { name: 'b' }),
  draft('EFFECT_RESOLVED', { effectId: 'e1', attempt: 1, status: 'ok', value: 1 }),
  draft('EFFECT_RESOLVED', { effectId: 'e2', attempt: 1, status: 'ok', value: 2 }),
);

describe('a corrupted journal on a stream', () => {
  test('has a valid prefix, and recovers the valid entries after an unreadable message', async () => {
    const { problems, validPrefix, recovered } = await damageOf(messagesOf(entries).with(3, unreadableMessage(4)));
    expect(problems).toMatchObject([
      {
        code: 'journal_corrupt',
        message: expect.stringContaining('sequence 4'),
        hint: expect.stringContaining('repair'),
      },
    ]);
    expect(validPrefix).toMatchObject({ entries: entries.slice(0, 3), position: 5, epoch: 3 });
    expect(recovered.entries.map(({ type, data }) => ({ type, data }))).toEqual(
      entries.toSpliced(3, 1).map(({ type, data }) => ({ type, data })),
    );
    expect(recovered.dropped).toMatchObject([{ name: 'sequence 4', why: expect.stringContaining('not a commit') }]);
    expect(recovered.warnings).toEqual(['entry 4 is lost']);
  });

  test('reports what depends on a lost request and is dropped', async () => {
    const { validPrefix, recovered } = await damageOf(messagesOf(entries).toSpliced(2, 1));
    expect(validPrefix.entries).toHaveLength(2);
    expect(recovered.dropped).toEqual([
      { name: 'entry 5', why: 'effect e2 was never requested', type: 'EFFECT_RESOLVED' },
    ]);
    expect(recovered.warnings).toEqual([
      'entry 3 is lost',
      expect.stringContaining('the request of effect e2 is lost'),
    ]);
  });

  test('keeps an altered entry, and reports it as suspicious', async () => {
    const forged = { ...entries[3], data: { ...entries[3]?.data, value: 9 } } as Entry;
    const { problems, recovered } = await damageOf(messagesOf(entries.with(3, forged)));
    expect(problems).toMatchObject([{ path: 'entries[4]' }]);
    expect(recovered.suspicious).toMatchObject([{ name: 'entry 4', why: expect.stringContaining('hash') }]);
    expect(recovered.entries).toHaveLength(5);
  });

  test('is recovered without the end that its owner recorded because of the corruption', async () => {
    const error = { code: 'journal_corrupt', message: 'm' };
    const sealed = new JournalBuilder().add(CREATED, draft('RUN_FAILED', { error, sealed: 'failed' }))
      .entries[1] as Entry;
    const { recovered } = await damageOf([
      ...messagesOf(entries.slice(0, 1)),
      unreadableMessage(2),
      { seq: 3, data: encodeCommit({ entries: [sealed], epoch: 3 }) },
    ]);
    expect(recovered.entries).toHaveLength(1);
    expect(recovered.dropped).toMatchObject([{ name: 'sequence 2' }, { name: 'entry 2', type: 'RUN_FAILED' }]);
  });

  test('keeps an end caused by the corruption of another run, and the commit with it', async () => {
    const error = { code: 'journal_corrupt', message: 'the child run failed' };
    const failed = new JournalBuilder().add(
      CREATED,
      requestedDraft('e1', 'child', { childRequestId: 'c' }),
      draft('PROCESS_LOG', { message: 'lost' }),
      draft('EFFECT_RESOLVED', { effectId: 'e1', attempt: 1, status: 'error', error }),
      draft('RUN_FAILED', { error }),
    ).entries;
    const { recovered, corruptionEnd } = await damageOf([
      ...messagesOf(failed.slice(0, 2)),
      unreadableMessage(3),
      { seq: 4, data: encodeCommit({ entries: failed.slice(3), epoch: 3 }) },
    ]);
    expect(corruptionEnd).toEqual([]);
    expect(recovered.entries.map(({ type }) => type)).toEqual(failed.toSpliced(2, 1).map(({ type }) => type));
    expect(recovered.dropped).toMatchObject([{ name: 'sequence 3' }]);
  });

  test('reports the gap before an implausible number', async () => {
    const [created] = entries as [Entry];
    const far = { ...created, version: Number.MAX_SAFE_INTEGER };
    const { recovered } = await damageOf(messagesOf([created, far]));
    expect(recovered.warnings).toEqual([`entries 2 to ${Number.MAX_SAFE_INTEGER - 1} are lost`]);
  });

  test('keeps nothing without its first entry', async () => {
    const { validPrefix, recovered } = await damageOf(messagesOf(entries).slice(1));
    expect(validPrefix.entries).toEqual([]);
    expect(recovered.entries).toEqual([]);
    expect(recovered.dropped).toHaveLength(4);
  });

  test('is not reported for an unknown entry of another version of Reins', async () => {
    const [created] = entries;
    const head = { version: 1, hash: created?.hash ?? '' };
    const [later] = sealEntries(
      head,
      [{ type: 'RUN_DREAMT', data: {} } as unknown as EntryDraft],
      created?.recordedAt ?? '',
    );
    const messages = messagesOf([created, later] as Entry[]);
    const loaded = streamJournalLoader({ read: async () => messages })(RUN);
    await expect(loaded).rejects.not.toBeInstanceOf(CorruptedJournalError);
    await expect(loaded).rejects.toMatchObject({ code: 'journal_newer', hint: expect.stringContaining('newer') });
  });

  test('is recovered to a valid journal, whatever was lost, duplicated or moved', async () => {
    await fc.assert(
      fc.asyncProperty(journals, fc.array(fc.nat(), { minLength: 1, maxLength: 4 }), async (all, places) => {
        const messages = messagesOf(all);
        for (const at of places) messages.splice(at % messages.length, at % 2, unreadableMessage(99));
        const { recovered } = await damageOf(messages);
        expect(verifyEntries(recovered.entries, RUN)).toEqual([]);
      }),
    );
  });
});
