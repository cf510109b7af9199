import { expect, test } from '@jest/globals';
import type { MemoryEntry } from '@reins/contracts';
import fc from 'fast-check';
import { entitiesIn } from './entities.ts';
import { type Candidate, rank } from './rank.ts';

const NOW = '2026-06-01T00:00:00.000Z';
const WEIGHTS = new Map([
  ['deploy', 3],
  ['friday', 5],
  ['day', 1],
]);
const QUERY = { text: 'which day do we deploy with Ann', weights: WEIGHTS };

const candidate = (
  id: string,
  fields: Partial<MemoryEntry> = {},
  terms: readonly string[] = ['deploy'],
  seq = 1,
): Candidate => ({
  record: {
    id,
    namespace: 'workspace/w',
    kind: 'fact',
    status: 'active',
    text: terms.join(' '),
    confidence: 1,
    createdAt: NOW,
    ...fields,
  },
  terms,
  seq,
});
const ids = (candidates: readonly Candidate[], query = QUERY, now = NOW): string[] =>
  rank(query, candidates, now, 50).map(({ record }) => record.id);

const arbitrary = fc
  .uniqueArray(
    fc.record({
      id: fc.string({ minLength: 1, maxLength: 6 }),
      kind: fc.constantFrom('fact', 'preference', 'episode'),
      confidence: fc.constantFrom(0.2, 1),
      age: fc.integer({ min: 0, max: 400 }),
      terms: fc.uniqueArray(fc.constantFrom('deploy', 'friday', 'day', 'ann', 'tea', 'oslo'), { maxLength: 4 }),
      seq: fc.integer({ min: 1, max: 5 }),
    }),
    { selector: ({ id }) => id, maxLength: 12 },
  )
  .map((all) =>
    all.map(({ id, kind, confidence, age, terms, seq }) => {
      const createdAt = new Date(Date.parse(NOW) - age * 24 * 3_600_000).toISOString();
      return candidate(id, { kind, confidence, createdAt }, terms, seq);
    }),
  );

test('the order does not depend on the order of the candidates', () => {
  fc.assert(
    fc.property(arbitrary, fc.integer(), (candidates, seed) => {
      const shuffled = candidates.toSorted((a, b) => ((a.record.id.length * 7 + seed) % 5) - ((b.seq * 3 + seed) % 5));
      expect(rank(QUERY, shuffled.toReversed(), NOW, 50)).toEqual(rank(QUERY, candidates, NOW, 50));
    }),
  );
});

test('a smaller limit returns the beginning of the same order, and every signal is from 0 to 1', () => {
  fc.assert(
    fc.property(arbitrary, fc.integer({ min: 1, max: 12 }), (candidates, limit) => {
      const all = rank(QUERY, candidates, NOW, 50);
      expect(rank(QUERY, candidates, NOW, limit)).toEqual(all.slice(0, limit));
      for (const value of all.flatMap(({ signals, score }) => [...Object.values(signals), score])) {
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1);
      }
    }),
  );
});

test('scores never increase', () => {
  fc.assert(
    fc.property(arbitrary, (candidates) => {
      const scores = rank(QUERY, candidates, NOW, 50).map(({ score }) => score);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    }),
  );
});

test('rare words, names, new records and important kinds come first', () => {
  const old = '2026-01-01T00:00:00.000Z';
  expect(ids([candidate('a', {}, ['deploy']), candidate('b', {}, ['friday'])])).toEqual(['b', 'a']);
  expect(ids([candidate('a', { text: 'we deploy' }), candidate('b', { text: 'with Ann we deploy' })])).toEqual([
    'b',
    'a',
  ]);
  expect(ids([candidate('a', { createdAt: old }), candidate('b')])).toEqual(['b', 'a']);
  expect(ids([candidate('a', { kind: 'episode' }), candidate('b', { kind: 'preference' })])).toEqual(['b', 'a']);
  const useful = { ratings: { useful: 2, useless: 0 } };
  expect(ids([candidate('a'), candidate('b', useful)])).toEqual(['b', 'a']);
  expect(ids([candidate('a', { confidence: 0.1 }), candidate('b')])).toEqual(['b', 'a']);
});

test('equal records are ordered by their place in the stream, then by id', () => {
  expect(
    ids([candidate('b', {}, [], 1), candidate('a', {}, [], 1), candidate('c', {}, [], 2)], {
      text: '',
      weights: new Map(),
    }),
  ).toEqual(['c', 'a', 'b']);
});

test('a record that repeats a better one comes after one that says something else', () => {
  const repeated = [candidate('a', {}, ['deploy', 'friday'], 3), candidate('b', {}, ['deploy', 'friday'], 2)];
  const other = candidate('c', {}, ['deploy', 'day'], 1);
  const ranked = rank(QUERY, [...repeated, other], NOW, 3);
  expect(ranked.map(({ record }) => record.id)).toEqual(['a', 'c', 'b']);
  expect(ranked[2]?.signals.diversity).toBe(0);
});

test('records that share nothing with the query, or do not hold at the time, are left out', () => {
  const later = { validFrom: '2026-06-02T00:00:00Z' };
  const ended = { validUntil: NOW };
  const holding = { validFrom: NOW, validUntil: '2026-06-02T00:00:00Z' };
  const all = [candidate('a', later), candidate('b', ended), candidate('c', holding), candidate('d', {}, ['tea'])];
  expect(ids(all)).toEqual(['c']);
  expect(ids(all, QUERY, '2026-06-03T00:00:00Z')).toEqual(['a']);
  expect(ids(all, { text: '', weights: new Map() }).sort()).toEqual(['c', 'd']);
});

test('names, numbers and identifiers are entities; the first word of a sentence is not', () => {
  expect([...entitiesIn('When does Ann deploy v2.1 to eu-1? Never use max_size, McKay said. "Ask" NATS.')]).toEqual([
    'ann',
    'v2 1',
    'eu 1',
    'max size',
    'mckay',
    'nats',
  ]);
});
