import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { journals } from '../testing/journals.ts';
import { encodeCommit } from './commit-codec.ts';
import { endOfCommit } from './commit-end.ts';
import type { Entry } from './entry.ts';

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
