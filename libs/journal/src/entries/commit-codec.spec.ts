import { describe, expect, test } from '@jest/globals';
import { isReinsError } from '@reins/contracts';
import fc from 'fast-check';
import { BLOB, journals } from '../testing/journals.ts';
import { verifyEntries } from '../verify/verify-entries.ts';
import { decodeCommit, encodeCommit } from './commit-codec.ts';

/** What reading these bytes as a whole journal comes to. */
function corruptionIn(bytes: Uint8Array): string | undefined {
  try {
    return verifyEntries(decodeCommit(bytes).entries)[0]?.code;
  } catch (error) {
    if (isReinsError(error)) return error.code;
    throw error;
  }
}

/** The epoch is who wrote, not what was written: it is the one thing that the hash chain does not cover. */
const covered = (bytes: Uint8Array): number => bytes.length - ',"epoch":3}'.length;

describe('the bytes of a commit', () => {
  test('what is written is read', () => {
    fc.assert(
      fc.property(journals, fc.nat(), (entries, epoch) => {
        expect(decodeCommit(encodeCommit({ entries, epoch }))).toEqual({ entries, epoch });
      }),
    );
  });

  test('any single changed byte is found', () => {
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

  test('any piece cut off or cut out is found', () => {
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
    ['no JSON', '{'],
    ['a list', '[]'],
    ['no entries', '{"entries":[],"epoch":1}'],
    ['an entry that is none', '{"entries":[1],"epoch":1}'],
    ['white space', '{"entries":[ ],"epoch":1}'],
    ['something more', '{"entries":[],"epoch":1,"more":1}'],
  ])('%s is no commit', (_, text) => {
    expect(() => decodeCommit(new TextEncoder().encode(text), 'commit at sequence 9')).toThrow(
      /^commit at sequence 9: /,
    );
  });

  test('an error names the message it is about', () => {
    const path = 'commit at sequence 4';
    expect(() => decodeCommit(new Uint8Array([0xff]), path)).toThrow(
      expect.objectContaining({ path, code: 'journal_corrupt' }),
    );
    expect(BLOB.size).toBe(3);
  });
});
