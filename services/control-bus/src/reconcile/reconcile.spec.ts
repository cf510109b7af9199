import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type FactMark, type RunEvidence, reconcile } from './reconcile.ts';

/** A journal with this many entries, and its facts: two for each entry. The last fact is terminal if the run has ended. */
function runOf(length: number, hasEnded: boolean, branch = 'a') {
  const entries = Array.from({ length }, (_, index) => ({ version: index + 1, hash: `${branch}${index + 1}` }));
  const facts = entries.flatMap(({ hash, version }, index): FactMark[] => [
    { id: `${hash}.0`, version, terminal: hasEnded && index === length - 1 },
    { id: `${hash}.1`, version, terminal: false },
  ]);
  return { entries, facts };
}

/** A run, how much of its journal and of its facts is left, and which of its other facts are lost. */
const losses = fc.record({
  length: fc.integer({ min: 1, max: 8 }),
  hasEnded: fc.boolean(),
  journal: fc.nat(8),
  events: fc.nat(16),
  holes: fc.array(fc.nat(16)),
});

type Losses = typeof losses extends fc.Arbitrary<infer T> ? T : never;

function evidenceAfter({ length, hasEnded, journal, events, holes }: Losses) {
  const { entries, facts } = runOf(length, hasEnded);
  const left = entries.slice(0, journal);
  const stored = facts.slice(0, events).filter((_, index) => !holes.includes(index));
  const derived = facts.filter(({ version }) => version <= left.length);
  const evidence: RunEvidence = { entries: left, hasEnded: hasEnded && left.length === length, derived, stored };
  return { evidence, facts, stored, left };
}

describe('a run whose journal and facts were set back independently', () => {
  test('gets exactly the facts that its journal has and the event log lacks, in order', () => {
    fc.assert(
      fc.property(losses, (given) => {
        const { evidence, stored } = evidenceAfter(given);
        const ids = new Set(stored.map(({ id }) => id));
        const expected = evidence.derived.filter(({ id }) => !ids.has(id)).map(({ id }) => id);
        expect(reconcile(evidence).missing).toEqual(expected);
      }),
    );
  });

  test('has nothing to repair after its missing facts were published', () => {
    fc.assert(
      fc.property(losses, (given) => {
        const { evidence } = evidenceAfter(given);
        const { missing } = reconcile(evidence);
        const late = evidence.derived.filter(({ id }) => missing.includes(id));
        expect(reconcile({ ...evidence, stored: [...evidence.stored, ...late] }).missing).toEqual([]);
      }),
    );
  });

  test('is changed only if the event log has facts of lost entries', () => {
    fc.assert(
      fc.property(losses, (given) => {
        const { evidence, stored, left } = evidenceAfter(given);
        const lost = stored.filter(({ version }) => version > left.length);
        const { remedy, strays } = reconcile(evidence);
        expect(strays).toEqual(lost);
        expect(remedy === 'none').toBe(lost.length === 0);
        expect(remedy === 'end').toBe(lost.some(({ terminal }) => terminal));
      }),
    );
  });

  test('has at most one terminal fact, also when its journal has another end', () => {
    fc.assert(
      fc.property(losses, fc.integer({ min: 1, max: 8 }), (given, length) => {
        const { stored } = evidenceAfter(given);
        const other = runOf(length, true, 'b');
        const { missing } = reconcile({ entries: other.entries, hasEnded: true, derived: other.facts, stored });
        const published = other.facts.filter(({ id }) => missing.includes(id));
        expect([...stored, ...published].filter(({ terminal }) => terminal).length).toBe(1);
      }),
    );
  });

  test('finds facts of an entry that was replaced by another one', () => {
    const { entries, facts } = runOf(3, false, 'b');
    const old = runOf(2, false, 'a').facts;
    const { remedy, strays } = reconcile({ entries, hasEnded: false, derived: facts, stored: [...old, ...facts] });
    expect({ remedy, strays }).toEqual({ remedy: 'damage', strays: old });
  });
});
