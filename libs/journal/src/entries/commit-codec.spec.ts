import { describe, expect, test } from '@jest/globals';
import { isReinsError } from '@reins/contracts';
import fc from 'fast-check';
import { BLOB, journals } from '../testing/journals.ts';
import { verifyEntries } from '../verify/verify-entries.ts';
import { decodeCommit, encodeCommit, endOfCommit } from './commit-codec.ts';
import type { Entry } from './entry.ts';

/** The result of reading these bytes as a whole journal. */
function corruptionIn(bytes: Uint8Array): string | undefined {
  try {
    return verifyEntries(decodeCommit(bytes).entries)[0]?.code;
  } catch (error) {
    if (isReinsError(error)) return error.code;
    throw error;
  }
}

/** The epoch says who wrote, not what was written: it is the only part that the hash chain does not cover. */
const covered = (bytes: Uint8Array): number => bytes.length - ',"epoch":3}'.length;

describe('the encoded commit', () => {
  test('decodes to the same commit', () => {
    fc.assert(
      fc.property(journals, fc.nat(), (entries, epoch) => {
        expect(decodeCommit(encodeCommit({ entries, epoch }))).toEqual({ entries, epoch });
      }),
    );
  });

  test('detects every changed byte', () => {
    fc.assert(
      fc.property(journals, fc.nat(), fc.integer({ min: 1, max: 255 }), (entries, place, change) => {
        const bytes = encodeCommit({ entries, epoch: 3 });
        expect(corruptionIn(bytes)).toBeUndefined();
        const at = place % covered(bytes);
        bytes[at] = (bytes[at] as number) ^ change;
        expect(corruptionIn(bytes)).toBe('journal_corrupt');
      }),
      { numRuns: 400 },
    );
  });

  test('detects every missing piece', () => {
    fc.assert(
      fc.property(journals, fc.nat(), fc.integer({ min: 1, max: 200 }), (entries, place, length) => {
        const bytes = encodeCommit({ entries, epoch: 3 });
        const from = place % bytes.length;
        const cut = Uint8Array.from([...bytes.subarray(0, from), ...bytes.subarray(from + length)]);
        expect(corruptionIn(cut)).toBe('journal_corrupt');
      }),
      { numRuns: 200 },
    );
  });

  test.each([
    ['text that is not JSON', '{'],
    ['an array', '[]'],
    ['no entries', '{"entries":[],"epoch":1}'],
    ['an invalid entry', '{"entries":[1],"epoch":1}'],
    ['white space', '{"entries":[ ],"epoch":1}'],
    ['an extra member', '{"entries":[],"epoch":1,"more":1}'],
  ])('rejects %s', (_, text) => {
    expect(() => decodeCommit(new TextEncoder().encode(text), 'commit at sequence 9')).toThrow(
      /^commit at sequence 9: /,
    );
  });

  test('errors name the message', () => {
    const path = 'commit at sequence 4';
    expect(() => decodeCommit(new Uint8Array([0xff]), path)).toThrow(
      expect.objectContaining({ path, code: 'journal_corrupt' }),
    );
    expect(BLOB.size).toBe(3);
  });
});

describe('the end of a commit', () => {
  test('finds the last entry of a commit, whatever its data is', () => {
    fc.assert(
      fc.property(journals, fc.nat(), (entries, epoch) => {
        const { type, version } = entries.at(-1) as Entry;
        expect(endOfCommit(encodeCommit({ entries, epoch }))).toEqual({ type, version });
      }),
    );
  });

  test('returns undefined for other bytes', () => {
    for (const text of ['', '{"$blob":{}}', '{"entries":[],"epoch":1}'])
      expect(endOfCommit(new TextEncoder().encode(text))).toBeUndefined();
  });
});
