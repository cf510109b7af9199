import { expect, test } from '@jest/globals';
import type { MemoryRecalled } from '@reins/contracts';
import fc from 'fast-check';
import { contextOf } from './context.ts';

const recalled = (id: string, text: string, subject?: string): MemoryRecalled => ({
  record: {
    ...{ id, namespace: 'user/ann', kind: 'fact', status: 'active', createdAt: '2026-01-31T12:00:00.000Z', text },
    ...(subject !== undefined && { subject }),
  },
  score: 1,
  signals: { text: 1, entities: 1, recency: 1, importance: 1, diversity: 1, usage: 1 },
});

test('has a line for each record, with its id, kind, day and subject', () => {
  const { context, recordIds, omitted } = contextOf([recalled('a', 'On Fridays\nat noon', 'deploys')], 100);
  expect(context).toBe('- [a] fact, 2026-01-31, about "deploys": "On Fridays\\nat noon"');
  expect({ recordIds, omitted }).toEqual({ recordIds: ['a'], omitted: 0 });
});

test('leaves out a record that does not fit, and tries shorter ones', () => {
  const records = [recalled('a', 'short'), recalled('b', 'x'.repeat(400)), recalled('c', 'short')];
  expect(contextOf(records, 40)).toMatchObject({ recordIds: ['a', 'c'], omitted: 1 });
});

test('never exceeds its tokens, and every text stays on its own line', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'binary' }), { maxLength: 12 }),
      fc.integer({ min: 20, max: 300 }),
      (texts, tokens) => {
        const records = texts.map((text, at) => recalled(`r${at}`, text));
        const { context, recordIds, omitted } = contextOf(records, tokens);
        expect(context.length).toBeLessThanOrEqual(tokens * 4);
        expect(recordIds.length + omitted).toBe(records.length);
        const lines = context === '' ? [] : context.split('\n');
        expect(lines.map((line) => /^- \[(r\d+)\] /.exec(line)?.[1])).toEqual(recordIds);
      },
    ),
  );
});
