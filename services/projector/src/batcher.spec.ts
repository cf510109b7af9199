import { describe, expect, test } from '@jest/globals';
import { Batcher } from './batcher.ts';

/** A sink whose writes the test completes. */
function sink() {
  const batches: number[][] = [];
  const ends: PromiseWithResolvers<void>[] = [];
  const write = (items: readonly number[]): Promise<void> => {
    batches.push([...items]);
    const end = Promise.withResolvers<void>();
    ends.push(end);
    return end.promise;
  };
  return { batches, ends, write };
}

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
};

describe('a batcher', () => {
  test('writes a single item immediately, and items added during the write together', async () => {
    const { batches, ends, write } = sink();
    const batcher = new Batcher<number>(10, write);
    batcher.add(1);
    await turns();
    batcher.add(2);
    batcher.add(3);
    await turns();
    expect(batches).toEqual([[1]]);
    ends[0]?.resolve();
    await turns();
    expect(batches).toEqual([[1], [2, 3]]);
  });

  test('limits the batch size and applies backpressure', async () => {
    const { batches, ends, write } = sink();
    const batcher = new Batcher<number>(2, write);
    batcher.add(0);
    await turns();
    expect(batcher.add(1)).toBeUndefined();
    const held = batcher.add(2);
    expect(held).toBeInstanceOf(Promise);
    ends[0]?.resolve();
    await held;
    ends[1]?.resolve();
    await batcher.settled();
    expect(batches).toEqual([[0], [1, 2]]);
  });

  test('rejects pending and later calls after a failure', async () => {
    const { ends, write } = sink();
    const batcher = new Batcher<number>(2, write);
    batcher.add(0);
    await turns();
    batcher.add(1);
    const held = batcher.add(2) as Promise<void>;
    ends[0]?.reject(new Error('no'));
    await expect(held).rejects.toThrow('no');
    await expect(batcher.settled()).rejects.toThrow('no');
    expect(() => batcher.add(3)).toThrow('no');
  });

  test('pauses after a batch that was not full, until settled is called', async () => {
    const { batches, ends, write } = sink();
    const batcher = new Batcher<number>(10, write, 60_000);
    batcher.add(1);
    await turns();
    ends[0]?.resolve();
    await turns();
    batcher.add(2);
    batcher.add(3);
    await turns();
    expect(batches).toEqual([[1]]);
    const settled = batcher.settled();
    await turns();
    expect(batches).toEqual([[1], [2, 3]]);
    ends[1]?.resolve();
    await turns();
    void batcher.settled();
    await settled;
  });
});
