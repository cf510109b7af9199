import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isAtLeast, parseVersion, type Version } from './versions.ts';

const part = fc.nat({ max: 500 });
const version: fc.Arbitrary<Version> = fc.tuple(part, part, part);

describe('versions', () => {
  it('are parsed from the output of a program', () => {
    fc.assert(
      fc.property(version, (v) => {
        expect(parseVersion(`nats-server: v${v.join('.')}\n`)).toEqual(v);
      }),
    );
    expect(parseVersion('no version here')).toBeUndefined();
  });

  it('are ordered by major, then minor, then patch', () => {
    fc.assert(
      fc.property(version, version, (a, b) => {
        const weight = ([major, minor, patch]: Version): number => (major * 1000 + minor) * 1000 + patch;
        expect(isAtLeast(a, b)).toBe(weight(a) >= weight(b));
      }),
    );
  });
});
