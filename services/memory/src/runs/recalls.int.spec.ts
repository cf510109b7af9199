import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '@reins/testing';
import { RunRequests } from '../testing/run-requests.ts';
import { TestMemory } from '../testing/test-memory.ts';

let memory: TestMemory;
let runs: RunRequests;
beforeAll(async () => {
  memory = await TestMemory.start();
  runs = new RunRequests(memory.bus);
});
afterAll(async () => {
  await runs.close();
  await memory.stop();
});

const ANN = { userId: 'ann', sessionId: 's1' };

test('a run recalls what belongs to it, within its tokens, with the ids of the records', async () => {
  const { record } = await memory.add('user/ann', 'I deploy on Fridays', { kind: 'preference' });
  const long = await memory.add('user/ann', `The deploy of ${'a long story '.repeat(100)}`);
  const answer = await runs.recall(ANN, 'user', 'When do I deploy?', { maxTokens: 60 });
  expect(answer).toMatchObject({ type: 'runtime.memory.recall.completed', namespace: 'user/ann', omitted: 1 });
  expect(answer.recordIds).toEqual([record.id]);
  expect(answer.context).toMatch(new RegExp(`^- \\[${record.id}\\] preference, .*: "I deploy on Fridays"$`));
  const all = await runs.recall(ANN, 'user', 'When do I deploy?', { maxTokens: 1_000 });
  expect(all.recordIds).toEqual(expect.arrayContaining([record.id, long.record.id]));
});

test('what one user, workspace, agent or session has is never recalled by the runs of others', async () => {
  const secret = 'The launch code word is Heliotrope';
  const owners = ['user/ann', 'workspace/ws', 'agent/ws/main', 'session/ws/s1'];
  for (const namespace of owners) await memory.add(namespace, `${secret} of ${namespace}`);
  const other = { workspaceId: 'ws2', sessionId: 's2', agentId: 'other', userId: 'bob' };
  for (const [at, namespace] of ['user', 'workspace', 'agent', 'session'].entries()) {
    expect((await runs.recall(ANN, namespace, 'launch code word Heliotrope')).context).toContain(owners[at]);
    expect(await runs.recall(other, namespace, 'launch code word Heliotrope')).toMatchObject({
      type: 'runtime.memory.recall.completed',
      recordIds: [],
      context: '',
    });
  }
  for (const namespace of ['user/ann', 'workspace/ws', '*', '', '../user/ann', 'user\u0000/ann', 'USER'])
    if (namespace !== '')
      expect(await runs.recall(other, namespace, 'launch code word Heliotrope')).toMatchObject({
        type: 'runtime.memory.recall.failed',
        error: { code: 'memory_namespace_invalid' },
      });
  expect(await runs.recall({ sessionId: 's2' }, 'user', 'launch code word')).toMatchObject({
    type: 'runtime.memory.recall.failed',
    error: { code: 'memory_access_denied' },
  });
});

test('a request that no run waits for any more gets no answer', async () => {
  const deadline = new Date(Date.now() - 3_600_000).toISOString();
  const fields = { namespace: 'user', query: 'deploy', deadline };
  const late = await runs.send('runtime.memory.recall.requested', ANN, fields);
  const handled = async () => {
    const { num_pending, num_ack_pending } = await memory.bus.jsm.consumers.info(
      'EVENTS',
      'runtime-memory-recall-requested',
    );
    return num_pending + num_ack_pending === 0;
  };
  await until(handled);
  expect(runs.answersTo(late)).toBe(0);
});

test('while Postgres is down, a recall fails at once, and works again afterwards', async () => {
  await memory.postgres.stop();
  expect(await runs.recall(ANN, 'user', 'When do I deploy?')).toMatchObject({
    type: 'runtime.memory.recall.failed',
    error: { code: 'service_unavailable' },
  });
  await memory.postgres.restart();
  await memory.ready();
  expect((await runs.recall(ANN, 'user', 'When do I deploy?')).context).toContain('I deploy on Fridays');
});
