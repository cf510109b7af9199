import { describe, expect, test } from '@jest/globals';
import { REDACTED } from '@reins/runtime-config';
import fc from 'fast-check';
import { Redactor } from '../secrets/redactor.ts';
import { DeltaStream } from './delta-stream.ts';

const SECRETS = ['hush-hush', 'shibboleth'];

/** The output for a text that is pushed in these pieces, with a `take` after each. */
function streamed(pieces: readonly string[]): string {
  const stream = new DeltaStream(new Redactor(SECRETS));
  const output = pieces.map((piece) => {
    stream.push(piece);
    return stream.take();
  });
  return output.join('') + stream.drain();
}

const piece = fc.constantFrom('hush', '-', 'hush-hush', 'sh', 'shibb', 'oleth', 'x', ' ', 'h', 'us', REDACTED);

describe('DeltaStream', () => {
  test('redacts secrets however the text is split', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const output = streamed(pieces);
        for (const secret of SECRETS) expect(output).not.toContain(secret);
      }),
    );
  });

  test('passes on text without secrets unchanged', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (pieces) => {
        const text = pieces.join('');
        fc.pre(!SECRETS.some((secret) => text.includes(secret)));
        expect(streamed(pieces)).toBe(text);
      }),
    );
  });

  test('holds back only text that may be the beginning of a secret', () => {
    const stream = new DeltaStream(new Redactor(SECRETS));
    stream.push('the password is hush');
    expect(stream.take()).toBe('the password is ');
    stream.push('ed up');
    expect(stream.take()).toBe('hushed up');
  });
});
