import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sha256Of } from '../support/hash.ts';
import { layoutText, PACK_BYTES, type Pack, Packer, parseLayout, SMALL_BYTES } from './pack.ts';

function pack(contents: readonly Uint8Array[]): readonly Pack[] {
  const packer = new Packer();
  const full = contents.flatMap((bytes) => packer.add(sha256Of(bytes), bytes) ?? []);
  const last = packer.close();
  return last ? [...full, last] : full;
}

const contentLists = fc
  .array(fc.integer({ min: 0, max: SMALL_BYTES }), { maxLength: 60 })
  .map((sizes) => sizes.map((size) => Uint8Array.from(randomBytes(size))));

describe('packs', () => {
  it('contain every file at its recorded location, and stay within the size limit', () => {
    fc.assert(
      fc.property(contentLists, (contents) => {
        const packs = pack(contents);
        for (const { key, bytes } of packs) {
          expect(key).toBe(sha256Of(bytes));
          expect(bytes.byteLength).toBeLessThanOrEqual(PACK_BYTES);
        }
        for (const content of contents) {
          const holder = packs.find(({ locations }) => locations.has(sha256Of(content)));
          const place = holder?.locations.get(sha256Of(content));
          const there = place && holder?.bytes.subarray(place.offset, place.offset + place.size);
          expect(there && Buffer.compare(there, content)).toBe(0);
        }
        // No pack is closed early: two neighbours would not fit into one.
        for (const [index, { bytes }] of packs.entries()) {
          const next = packs[index + 1]?.locations.values().next().value;
          if (next) expect(bytes.byteLength + next.size).toBeGreaterThan(PACK_BYTES);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('can be located through the text of a layout', () => {
    fc.assert(
      fc.property(contentLists, (contents) => {
        const layout = new Map(pack(contents).flatMap(({ locations }) => [...locations]));
        expect(parseLayout(layoutText(layout))).toEqual(layout);
      }),
      { numRuns: 30 },
    );
  });
});
