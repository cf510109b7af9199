import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@reins/contracts';
import fc from 'fast-check';
import { type Entry, sealEntries } from '../entries/entry.ts';
import { AT, CREATED, draft, JournalBuilder, journals, RUN, sealUnchecked } from '../testing/journals.ts';
import { assertVerified, verifyAndFold, verifyEntries } from './verify-entries.ts';

describe('verification', () => {
  test('accepts every valid journal and every prefix of one', () => {
    fc.assert(
      fc.property(journals, fc.nat(), (entries, cut) => {
        expect(verifyEntries(entries, RUN)).toEqual([]);
        expect(verifyEntries(entries.slice(0, cut % (entries.length + 1)))).toEqual([]);
      }),
    );
  });

  test('names the entry that was removed, duplicated or moved', () => {
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
        const data: JsonObject = { ...(entry.data as JsonObject), extra: true };
        const problems = verifyEntries(entries.with(at, { ...entry, data } as unknown as Entry));
        expect(problems[0]?.path).toBe(`entries[${at + 1}]`);
      }),
    );
  });

  test('reports all problems in the data of that entry', () => {
    const wrong = sealUnchecked(CREATED, draft('EFFECT_STARTED', { effectId: 'not a token', attempt: 0 }));
    expect(verifyEntries(wrong).map(({ message }) => message)).toEqual([
      expect.stringMatching(/^entry 2 \(EFFECT_STARTED\): data\.effectId/),
      expect.stringMatching(/^entry 2 \(EFFECT_STARTED\): data\.attempt/),
    ]);
  });

  test('rejects an unknown entry type', () => {
    const builder = new JournalBuilder().add(CREATED);
    const [unknownEntry] = sealEntries(builder.state.head, [{ type: 'ODD', data: {} } as never], AT);
    expect(verifyEntries([...builder.entries, unknownEntry as Entry])[0]?.message).toMatch(
      /"ODD" is not an entry type/,
    );
  });

  test('returns the state before the first invalid entry', () => {
    const [first, second, third] = new JournalBuilder().add(
      CREATED,
      draft('PROCESS_LOG', { message: 1 }),
      draft('PROCESS_LOG', { message: 2 }),
    ).entries as [Entry, Entry, Entry];
    const { state, problems } = verifyAndFold(RUN, [
      first,
      second,
      { ...third, recordedAt: '2026-01-31T12:00:00.001Z' },
    ]);
    expect(state.head.version).toBe(2);
    expect(problems[0]?.message).toBe('entry 3 (PROCESS_LOG): its hash does not match its content');
  });

  test('rejects a journal of another run', () => {
    const { entries } = new JournalBuilder().add(CREATED);
    expect(() => assertVerified(entries, { workspaceId: 'else', runId: '01RUN' })).toThrow(/belongs to workspace shop/);
  });
});
