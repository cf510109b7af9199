import { describe, expect, test } from '@jest/globals';
import { REDACTED } from '@reins/runtime-config';
import fc from 'fast-check';
import { Redactor } from '../secrets/redactor.ts';
import { DeltaStream } from './delta-stream.ts';

const SECRETS = ['hush-hush', 'shibboleth'];

/** What comes out when the text goes in as these pieces, each followed by a look. */
function streamed(pieces: readonly string[]): string {
  const stream = new DeltaStream(new Redactor(SECRETS));
  const told = pieces.map((piece) => {
    stream.push(piece);
    return stream.take();
  });
  return told.join('') + stream.drain();
}

const piece = fc.constantFrom('hush', '-', 'hush-hush', 'sh', 'shibb', 'oleth', 'x', ' ', 'h', 'us', REDACTED);

describe('text that comes in pieces', () => {
  test('no secret is told, however it was cut', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const told = streamed(pieces);
        for (const secret of SECRETS) expect(told).not.toContain(secret);
      }),
    );
  });

  test('what is no secret comes through whole and in order', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (pieces) => {
        const text = pieces.join('');
        fc.pre(!SECRETS.some((secret) => text.includes(secret)));
        expect(streamed(pieces)).toBe(text);
      }),
    );
  });

  test('only what may become a secret waits', () => {
    const stream = new DeltaStream(new Redactor(SECRETS));
    stream.push('the password is hush');
    expect(stream.take()).toBe('the password is ');
    stream.push('ed up');
    expect(stream.take()).toBe('hushed up');
  });
});
