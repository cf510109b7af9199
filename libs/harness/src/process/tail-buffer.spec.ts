import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { TailBuffer } from './tail-buffer.ts';

test('keeps the last bytes and drops older ones', () => {
  const text = fc.string({ unit: 'grapheme-ascii' });
  fc.assert(
    fc.property(fc.array(text), fc.integer({ min: 1, max: 20 }), (parts, maxBytes) => {
      const tail = new TailBuffer(maxBytes);
      for (const part of parts) tail.push(Buffer.from(part));
      expect(tail.toString()).toBe(parts.join('').slice(-maxBytes));
    }),
  );
});
