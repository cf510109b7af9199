import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { MarkedHashes } from './marked-hashes.ts';
import { eachHash, openEnd } from './references.ts';

const hash = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 64, maxLength: 64 });
const other = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'0123456789abcdefgz":{}@.'), maxLength: 200 }),
  fc.string(),
);

function hashesIn(text: string | Uint8Array): string[] {
  const bytes = Buffer.from(text as string);
  const found: string[] = [];
  eachHash(bytes, (_, start) => found.push(bytes.toString('latin1', start, start + 64)));
  return found;
}

test('every hash in a text is found', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(other, hash)), other, (parts, end) => {
      const found = hashesIn(`${parts.map(([before, one]) => `${before}"${one}"`).join('')}${end}`);
      for (const [, one] of parts) expect(found).toContain(one);
    }),
  );
});

test('a hash that two chunks share is found', () => {
  fc.assert(
    fc.property(other, hash, other, fc.nat(), (before, one, after, at) => {
      const bytes = Buffer.from(`${before}"${one}"${after}`);
      const cut = at % (bytes.length + 1);
      const [first, second] = [bytes.subarray(0, cut), bytes.subarray(cut)];
      const found = [...hashesIn(first), ...hashesIn(Buffer.concat([openEnd(first), second]))];
      expect(found).toContain(one);
    }),
  );
});

test('a text with fewer than 64 digits has no hash', () => {
  expect(hashesIn(`"${'a'.repeat(63)}" "${'A'.repeat(64)}"`)).toEqual([]);
});

test('marked hashes are those of the set that were marked', () => {
  fc.assert(
    fc.property(fc.uniqueArray(hash, { maxLength: 3_000 }), fc.array(hash), fc.nat(), (known, unknown, every) => {
      const set = new MarkedHashes();
      for (const one of known) set.add(one);
      const marked = known.filter((_, index) => index % ((every % 5) + 1) === 0);
      for (const one of [...marked, ...unknown]) set.mark(Buffer.from(one), 0);
      const expected = new Set(marked);
      // Hashes that begin alike share their mark.
      const starts = new Set([...known, ...unknown].map((one) => one.slice(0, 16)));
      if (starts.size < new Set([...known, ...unknown]).size) return;
      for (const one of known) expect(set.isMarked(one)).toBe(expected.has(one));
      for (const one of unknown) expect(set.isMarked(one)).toBeUndefined();
      expect(set.size).toBe(known.length);
    }),
    { numRuns: 20 },
  );
});
