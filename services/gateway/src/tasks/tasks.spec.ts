import { expect, test } from '@jest/globals';
import type { AnyEvent } from '@reins/contracts';
import { tasksOf } from './tasks.ts';

const event = (type: string, effectId: string, fields: object = {}): AnyEvent =>
  ({
    type,
    requestId: 'r',
    sessionId: 's',
    agentId: 'main',
    workspaceId: 'w',
    effectId,
    kind: 'node',
    taskId: effectId,
    ...fields,
  }) as unknown as AnyEvent;

test('returns the last state of each task, in request order', () => {
  const error = { code: 'effect_cancelled', message: 'requested again' };
  const tasks = tasksOf([
    event('runtime.task.requested', 'a', { attempt: 1, label: 'A', args: [1], deadline: '2026-01-01T00:00:00.000Z' }),
    event('runtime.task.requested', 'b', { attempt: 1 }),
    event('runtime.task.completed', 'a', { value: { ok: true } }),
    event('runtime.task.failed', 'b', { error }),
    event('runtime.task.requested', 'c', { attempt: 1 }),
    event('runtime.task.failed', 'c', { error }),
    event('runtime.task.requested', 'b', { attempt: 2 }),
    event('runtime.task.completed', 'unknown', { value: 1 }),
  ]);
  expect(tasks).toEqual([
    {
      effectId: 'a',
      attempt: 1,
      kind: 'node',
      taskId: 'a',
      status: 'completed',
      label: 'A',
      args: [1],
      deadline: '2026-01-01T00:00:00.000Z',
      value: { ok: true },
    },
    { effectId: 'b', attempt: 2, kind: 'node', taskId: 'b', status: 'pending' },
    { effectId: 'c', attempt: 1, kind: 'node', taskId: 'c', status: 'failed', error },
  ]);
});
