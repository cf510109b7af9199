import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { assertServerVersion, compareVersions, MINIMUM_SERVER_VERSION } from './server-version.ts';

describe('server versions', () => {
  const version = fc.tuple(fc.nat(20), fc.nat(20), fc.nat(20));

  it('compares versions numerically', () => {
    fc.assert(
      fc.property(version, version, (a, b) => {
        const difference = a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
        expect(Math.sign(compareVersions(a.join('.'), b.join('.')))).toBe(Math.sign(difference));
      }),
    );
  });

  it.each(['2.12.3', '2.15.2', '3.0.0', 'v2.13.0'])('accepts %s', (text) => {
    expect(() => assertServerVersion(text)).not.toThrow();
  });

  it.each(['2.12.2', '2.11.9', `${MINIMUM_SERVER_VERSION}-beta.1`, '', 'nonsense'])('rejects %j', (text) => {
    expect(() => assertServerVersion(text)).toThrow(expect.objectContaining({ code: 'bus_server_too_old' }));
  });
});
