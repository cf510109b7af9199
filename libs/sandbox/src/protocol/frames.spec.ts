import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { FrameReader, frameOf } from './frames.ts';

test('frames are decoded from chunks of any size', () => {
  const cuts = fc.array(fc.nat(), { maxLength: 20 });
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), cuts, (messages, places) => {
      const bytes = Buffer.concat(messages.map(frameOf));
      const sorted = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
      const read: string[] = [];
      const frames = new FrameReader(1e6, (json) => read.push(json), fail);
      for (const [i, end] of sorted.entries()) if (i > 0) frames.push(bytes.subarray(sorted[i - 1], end));
      expect(read).toEqual(messages.map((message) => JSON.stringify(message)));
    }),
  );
});

test('a frame that is too large is rejected by its length, and nothing is buffered', () => {
  const read: string[] = [];
  let refused = 0;
  const frames = new FrameReader(
    10,
    (json) => read.push(json),
    () => {
      refused += 1;
    },
  );
  frames.push(frameOf('short'));
  frames.push(frameOf('longer than ten').subarray(0, 5));
  frames.push(frameOf('short'));
  expect(read).toEqual(['"short"']);
  expect(refused).toBe(1);
});

function fail(): never {
  throw new Error('no frame is too large');
}
