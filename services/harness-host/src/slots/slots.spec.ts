import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { Slots } from './slots.ts';

describe('Slots', () => {
  test('limits the concurrency of all runtimes together', async () => {
    const slots = new Slots(2);
    for (const id of ['a', 'b']) slots.add(id);
    const tasks = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
    const started: number[] = [];
    const runs = tasks.map((task, index) =>
      slots.use(index % 2 === 0 ? 'a' : 'b', async () => {
        started.push(index);
        expect(slots.running).toBeLessThanOrEqual(2);
        await task.promise;
      }),
    );
    await setImmediate();
    expect(started).toEqual([0, 1]);
    expect(slots.free).toBe(0);
    tasks[1]?.resolve();
    await runs[1];
    tasks[0]?.resolve();
    await runs[0];
    for (const task of tasks) task.resolve();
    await Promise.all(runs);
    expect(started).toEqual([0, 1, 2, 3]);
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
    const task = Promise.withResolvers<void>();
    const runs = ['light', 'light', 'heavy'].map((id) => slots.use(id, () => task.promise));
    await setImmediate();
    expect([slots.running, slots.free]).toEqual([3, 0]);
    task.resolve();
    await Promise.all(runs);
    expect([slots.running, slots.free]).toEqual([0, 1]);
  });

  test('reports the load of a runtime, with the slots that others use', async () => {
    const slots = new Slots(2);
    for (const id of ['a', 'b']) slots.add(id);
    const task = Promise.withResolvers<void>();
    const running = slots.use('a', () => task.promise);
    await setImmediate();
    expect(slots.usageOf('a')).toEqual({ slots: 2, slotsInUse: 1, stagesTaken: 1 });
    expect(slots.usageOf('b')).toEqual({ slots: 2, slotsInUse: 1, stagesTaken: 0 });
    task.resolve();
    await running;
    expect(slots.usageOf('a')).toEqual({ slots: 2, slotsInUse: 0, stagesTaken: 1 });
  });
});
