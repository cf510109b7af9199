import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { Slots } from './slots.ts';

describe('Slots', () => {
  test('limits the concurrency of all runtimes together', async () => {
    const slots = new Slots(2);
    for (const id of ['a', 'b']) slots.add(id);
    const doors = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
    const begun: number[] = [];
    const works = doors.map((gateway, index) =>
      slots.use(index % 2 === 0 ? 'a' : 'b', async () => {
        begun.push(index);
        expect(slots.running).toBeLessThanOrEqual(2);
        await gateway.promise;
      }),
    );
    await setImmediate();
    expect(begun).toEqual([0, 1]);
    expect(slots.free).toBe(0);
    doors[1]?.resolve();
    await works[1];
    doors[0]?.resolve();
    await works[0];
    for (const gateway of doors) gateway.resolve();
    await Promise.all(works);
    expect(begun).toEqual([0, 1, 2, 3]);
    expect(slots.running).toBe(0);
  });

  test('releases the slot of waiting work and takes one again afterwards', async () => {
    const slots = new Slots(1);
    slots.add('a');
    const [answer, other] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()];
    const asking = slots.use('a', () => slots.releaseWhile('a', () => answer.promise));
    const second = slots.use('a', () => other.promise);
    answer.resolve('blue');
    expect(slots.running).toBe(1);
    other.resolve();
    await second;
    expect(await asking).toBe('blue');
    expect(slots.running).toBe(0);
  });

  test('frees the slot of failed work', async () => {
    const slots = new Slots(1);
    slots.add('a');
    await expect(slots.use('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(slots.free).toBe(1);
  });

  test('does not use the shared slots for a runtime with its own slots', async () => {
    const slots = new Slots(1);
    slots.add('heavy');
    slots.add('light', 2);
    const gateway = Promise.withResolvers<void>();
    const works = ['light', 'light', 'heavy'].map((id) => slots.use(id, () => gateway.promise));
    await setImmediate();
    expect([slots.running, slots.free]).toEqual([3, 0]);
    gateway.resolve();
    await Promise.all(works);
    expect([slots.running, slots.free]).toEqual([0, 1]);
  });
});
