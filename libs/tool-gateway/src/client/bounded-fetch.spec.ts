import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { eventsAtMost } from './bounded-fetch.ts';

const passed = (chunks: readonly string[], limit: number): Promise<string> =>
  text(ReadableStream.from(chunks.map((each) => new TextEncoder().encode(each))).pipeThrough(eventsAtMost(limit)));

test('a stream of many small events has no limit, however it is split', async () => {
  const event = 'data: hello\n\n';
  expect(await passed(Array(100).fill(event), 20)).toHaveLength(100 * event.length);
  expect(await passed([...event.repeat(20)], 20)).toHaveLength(20 * event.length);
  expect(await passed(Array(10).fill('data: hello\r\n\r\n'), 20)).toHaveLength(150);
});

test('an event that never ends is an error, also if it has many lines', async () => {
  await expect(passed(['data: ', 'x'.repeat(50)], 20)).rejects.toThrow('more than 20 bytes');
  await expect(passed(Array(100).fill('data: x\n'), 20)).rejects.toThrow('more than 20 bytes');
});
