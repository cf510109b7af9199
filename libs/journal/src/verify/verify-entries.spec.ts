import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@reins/contracts';
import fc from 'fast-check';
import { type Entry, sealEntries } from '../entries/entry.ts';
import { AT, CREATED, draft, JournalBuilder, journals, RUN, sealedAnyhow } from '../testing/journals.ts';
import { assertVerified, verifiedFold, verifyEntries } from './verify-entries.ts';

describe('verification', () => {
  test('accepts every legal journal, and every beginning of one', () => {
    fc.assert(
      fc.property(journals, fc.nat(), (entries, cut) => {
        expect(verifyEntries(entries, RUN)).toEqual([]);
        expect(verifyEntries(entries.slice(0, cut % (entries.length + 1)))).toEqual([]);
      }),
    );
  });

  test('names the entry that was left out, doubled or moved', () => {
    fc.assert(
      fc.property(journals, fc.nat(), (entries, choice) => {
        fc.pre(entries.length > 2);
        const at = 1 + (choice % (entries.length - 2));
        const without = entries.toSpliced(at, 1);
        expect(verifyEntries(without)[0]).toMatchObject({ code: 'journal_corrupt', path: `entries[${at + 2}]` });
        const doubled = entries.toSpliced(at, 0, entries[at] as Entry);
        expect(verifyEntries(doubled)[0]).toMatchObject({ code: 'journal_corrupt', path: `entries[${at + 1}]` });
        const swapped = entries.with(at, entries[at + 1] as Entry).with(at + 1, entries[at] as Entry);
        expect(verifyEntries(swapped)[0]).toMatchObject({ code: 'journal_corrupt', path: `entries[${at + 2}]` });
      }),
    );
  });

  test('names the entry whose data was changed', () => {
    fc.assert(
      fc.property(journals, fc.nat(), (entries, choice) => {
        const at = choice % entries.length;
        const entry = entries[at] as Entry;
        const data: JsonObject = { ...(entry.data as JsonObject), sneaked: true };
        const problems = verifyEntries(entries.with(at, { ...entry, data } as unknown as Entry));
        expect(problems[0]?.path).toBe(`entries[${at + 1}]`);
      }),
    );
  });

  test('tells everything that is wrong with the data of that entry', () => {
    const wrong = sealedAnyhow(CREATED, draft('EFFECT_STARTED', { effectId: 'not a token', attempt: 0 }));
    expect(verifyEntries(wrong).map(({ message }) => message)).toEqual([
      expect.stringMatching(/^entry 2 \(EFFECT_STARTED\): data\.effectId/),
      expect.stringMatching(/^entry 2 \(EFFECT_STARTED\): data\.attempt/),
    ]);
  });

  test('an unknown entry type is refused', () => {
    const builder = new JournalBuilder().add(CREATED);
    const [odd] = sealEntries(builder.state.head, [{ type: 'ODD', data: {} } as never], AT);
    expect(verifyEntries([...builder.entries, odd as Entry])[0]?.message).toMatch(/"ODD" is not an entry type/);
  });

  test('the state is the one before the first wrong entry', () => {
    const [first, second, third] = new JournalBuilder().add(
      CREATED,
      draft('PROCESS_LOG', { message: 1 }),
      draft('PROCESS_LOG', { message: 2 }),
    ).entries as [Entry, Entry, Entry];
    const { state, problems } = verifiedFold(RUN, [
      first,
      second,
      { ...third, recordedAt: '2026-01-31T12:00:00.001Z' },
    ]);
    expect(state.head.version).toBe(2);
    expect(problems[0]?.message).toBe('entry 3 (PROCESS_LOG): its hash is not that of its content');
  });

  test('a journal of another run is refused', () => {
    const { entries } = new JournalBuilder().add(CREATED);
    expect(() => assertVerified(entries, { workspaceId: 'else', runId: '01RUN' })).toThrow(/belongs to workspace shop/);
  });
});
