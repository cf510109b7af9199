import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { encodeCommit } from '../entries/commit-codec.ts';
import { type Entry, type EntryDraft, sealEntries } from '../entries/entry.ts';
import { CREATED, draft, JournalBuilder, journals, RUN, requestedDraft } from '../testing/journals.ts';
import { verifyEntries } from '../verify/verify-entries.ts';
import { DamagedJournal } from './damaged-journal.ts';
import type { StreamMessage } from './stream-port.ts';
import { streamJournalLoader } from './stream-store.ts';

/** Each entry as a commit of its own. */
const messagesOf = (entries: readonly Entry[]): StreamMessage[] =>
  entries.map((entry, i) => ({ seq: i + 1, data: encodeCommit({ entries: [entry], epoch: 3 }) }));

/** How the journal in these messages is damaged. */
async function damageOf(messages: readonly StreamMessage[]): Promise<DamagedJournal> {
  try {
    await streamJournalLoader({ read: async () => messages })(RUN);
  } catch (error) {
    if (error instanceof DamagedJournal) return error;
  }
  throw new Error('it is whole');
}

const garbage = (seq: number): StreamMessage => ({ seq, data: new TextEncoder().encode('{"not": "a commit"}') });

const { entries } = new JournalBuilder().add(
  CREATED,
  requestedDraft('e1', 'task', { name: 'a' }),
  requestedDraft('e2', 'task', { name: 'b' }),
  draft('EFFECT_RESOLVED', { effectId: 'e1', attempt: 1, status: 'ok', value: 1 }),
  draft('EFFECT_RESOLVED', { effectId: 'e2', attempt: 1, status: 'ok', value: 2 }),
);

describe('a damaged journal on a stream', () => {
  test('stands up to the first message that cannot be read; what is lawful behind it is kept, chained anew', async () => {
    const { problems, standing, mended } = await damageOf(messagesOf(entries).with(3, garbage(4)));
    expect(problems).toMatchObject([
      {
        code: 'journal_corrupt',
        message: expect.stringContaining('sequence 4'),
        hint: expect.stringContaining('repair'),
      },
    ]);
    expect(standing).toMatchObject({ entries: entries.slice(0, 3), position: 5, epoch: 3 });
    expect(mended.entries.map(({ type, data }) => ({ type, data }))).toEqual(
      entries.toSpliced(3, 1).map(({ type, data }) => ({ type, data })),
    );
    expect(mended.dropped).toMatchObject([{ name: 'sequence 4', why: expect.stringContaining('not a commit') }]);
    expect(mended.warnings).toEqual(['entry 4 is gone']);
  });

  test('loses what follows from a request that is gone, and says so', async () => {
    const { standing, mended } = await damageOf(messagesOf(entries).toSpliced(2, 1));
    expect(standing.entries).toHaveLength(2);
    expect(mended.dropped).toEqual([
      { name: 'entry 5', why: 'effect e2 was never requested', type: 'EFFECT_RESOLVED' },
    ]);
    expect(mended.warnings).toEqual(['entry 3 is gone', expect.stringContaining('the request of effect e2 is lost')]);
  });

  test('keeps an entry that says something else than was written, and suspects it', async () => {
    const forged = { ...entries[3], data: { ...entries[3]?.data, value: 9 } } as Entry;
    const { problems, mended } = await damageOf(messagesOf(entries.with(3, forged)));
    expect(problems).toMatchObject([{ path: 'entries[4]' }]);
    expect(mended.suspicious).toMatchObject([{ name: 'entry 4', why: expect.stringContaining('hash') }]);
    expect(mended.entries).toHaveLength(5);
  });

  test('is not ended by what its owner ended it with because of the damage', async () => {
    const error = { code: 'journal_corrupt', message: 'm' };
    const sealed = new JournalBuilder().add(CREATED, draft('RUN_FAILED', { error, sealed: 'failed' }))
      .entries[1] as Entry;
    const { mended } = await damageOf([
      ...messagesOf(entries.slice(0, 1)),
      garbage(2),
      { seq: 3, data: encodeCommit({ entries: [sealed], epoch: 3 }) },
    ]);
    expect(mended.entries).toHaveLength(1);
    expect(mended.dropped).toMatchObject([{ name: 'sequence 2' }, { name: 'entry 2', type: 'RUN_FAILED' }]);
  });

  test('keeps an end that tells of the damage of another run, and what was committed with it', async () => {
    const error = { code: 'journal_corrupt', message: 'the child run failed' };
    const failed = new JournalBuilder().add(
      CREATED,
      requestedDraft('e1', 'child', { childRequestId: 'c' }),
      draft('PROCESS_LOG', { message: 'lost' }),
      draft('EFFECT_RESOLVED', { effectId: 'e1', attempt: 1, status: 'error', error }),
      draft('RUN_FAILED', { error }),
    ).entries;
    const { mended, seal } = await damageOf([
      ...messagesOf(failed.slice(0, 2)),
      garbage(3),
      { seq: 4, data: encodeCommit({ entries: failed.slice(3), epoch: 3 }) },
    ]);
    expect(seal).toEqual([]);
    expect(mended.entries.map(({ type }) => type)).toEqual(failed.toSpliced(2, 1).map(({ type }) => type));
    expect(mended.dropped).toMatchObject([{ name: 'sequence 3' }]);
  });

  test('tells of the gap before a number that nobody counted to', async () => {
    const [begun] = entries as [Entry];
    const far = { ...begun, version: Number.MAX_SAFE_INTEGER };
    const { mended } = await damageOf(messagesOf([begun, far]));
    expect(mended.warnings).toEqual([`the entries 2 to ${Number.MAX_SAFE_INTEGER - 1} are gone`]);
  });

  test('has nothing that can be kept without its beginning', async () => {
    const { standing, mended } = await damageOf(messagesOf(entries).slice(1));
    expect(standing.entries).toEqual([]);
    expect(mended.entries).toEqual([]);
    expect(mended.dropped).toHaveLength(4);
  });

  test('is none where another version of Reins wrote an entry that is not known here', async () => {
    const [begun] = entries;
    const head = { version: 1, hash: begun?.hash ?? '' };
    const [later] = sealEntries(
      head,
      [{ type: 'RUN_DREAMT', data: {} } as unknown as EntryDraft],
      begun?.recordedAt ?? '',
    );
    const messages = messagesOf([begun, later] as Entry[]);
    const loaded = streamJournalLoader({ read: async () => messages })(RUN);
    await expect(loaded).rejects.not.toBeInstanceOf(DamagedJournal);
    await expect(loaded).rejects.toMatchObject({ code: 'journal_newer', hint: expect.stringContaining('newer') });
  });

  test('is a whole journal once it is mended, whatever was lost, doubled or moved', async () => {
    await fc.assert(
      fc.asyncProperty(journals, fc.array(fc.nat(), { minLength: 1, maxLength: 4 }), async (all, places) => {
        const messages = messagesOf(all);
        for (const at of places) messages.splice(at % messages.length, at % 2, garbage(99));
        const { mended } = await damageOf(messages);
        expect(verifyEntries(mended.entries, RUN)).toEqual([]);
      }),
    );
  });
});
