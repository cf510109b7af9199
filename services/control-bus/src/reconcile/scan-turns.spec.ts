import { expect, test } from '@jest/globals';
import { ScanTurns } from './scan-turns.ts';

/** Starts to read, and passes what is read. */
async function read(scan: AsyncIterable<number>, onRead: (value: number) => void, count = Number.POSITIVE_INFINITY) {
  let left = count;
  for await (const value of scan) {
    onRead(value);
    left -= 1;
    if (left === 0) return;
  }
}

async function* numbers(...values: readonly number[]): AsyncGenerator<number> {
  for (const value of values) yield await Promise.resolve(value);
}

test('scans run one after the other, first come, first served', async () => {
  const turns = new ScanTurns();
  const seen: number[] = [];
  const scans = [[1, 2], [3, 4], [5]].map((values) => turns.run(() => numbers(...values)));
  await Promise.all(scans.map((scan) => read(scan, (value) => seen.push(value))));
  expect(seen).toEqual([1, 2, 3, 4, 5]);
});

test('the next scan runs after one that failed, or whose reader left', async () => {
  const turns = new ScanTurns();
  const seen: number[] = [];
  const failed = read(
    turns.run(async function* () {
      yield 1;
      throw new Error('the server is away');
    }),
    (value) => seen.push(value),
  );
  const left = read(
    turns.run(() => numbers(2, 3)),
    (value) => seen.push(value),
    1,
  );
  const last = read(
    turns.run(() => numbers(4)),
    (value) => seen.push(value),
  );
  await expect(failed).rejects.toThrow('away');
  await Promise.all([left, last]);
  expect(seen).toEqual([1, 2, 4]);
});
