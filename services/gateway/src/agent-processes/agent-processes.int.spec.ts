import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type LogEvent, writeBatch } from '@reins/store';
import { recordedRun } from '@reins/store/testing';
import { TestGateway } from '../testing/test-gateway.ts';

const parentOf = (requestId: string, depth: number) => ({
  requestId,
  sessionId: 's1',
  agentId: 'main',
  effectId: 'e1',
  attempt: 1,
  depth,
  rootRequestId: 'top',
});

let api: TestGateway;
beforeAll(async () => {
  api = await TestGateway.start();
  const runs = [
    recordedRun({ requestId: 'other', workspaceId: 'w2', firstSeq: 1 }),
    recordedRun({ requestId: 'top', firstSeq: 100 }).slice(0, 3),
    recordedRun({ requestId: 'child', sessionId: 'child', parent: parentOf('top', 1), firstSeq: 200 }),
    recordedRun({ requestId: 'nested', sessionId: 'nested', parent: parentOf('child', 2), firstSeq: 300 }).slice(0, 9),
  ];
  const items = runs.flat().map((event: LogEvent) => ({ event }));
  await writeBatch(api.db, items, { stream: 'EVENTS', generation: 1, seq: 400 });
});
afterAll(() => api.stop());

interface Page {
  readonly agentProcesses: readonly Record<string, unknown>[];
  readonly next?: number;
}

async function list(query: string): Promise<Page> {
  const { status, body } = await api.get(`/agent-processes?${query}`);
  expect(status).toBe(200);
  return body as unknown as Page;
}

const inShort = ({ agentProcesses }: Page): string[] =>
  agentProcesses.map(({ requestId, stage, runtimeId, attempt, state }) =>
    [requestId, stage, runtimeId, attempt, state].join(' '),
  );

describe('the processes of stages', () => {
  test('of a request are those of its child runs too, newest first', async () => {
    const page = await list('requestId=top');
    expect(inShort(page)).toEqual([
      'nested interview openai_chat 1 running',
      'child evaluate openai_chat 1 completed',
      'child execute pi 2 completed',
      'child execute pi 1 failed',
      'child interview openai_chat 1 completed',
    ]);
    expect(page.agentProcesses[2]).toEqual({
      requestId: 'child',
      parentRequestId: 'top',
      rootRequestId: 'top',
      workspaceId: 'quickstart',
      sessionId: 'child',
      effectId: 'e5',
      attempt: 2,
      stage: 'execute',
      runtimeId: 'pi',
      runtimeSource: 'stage',
      directive: 'retry',
      state: 'completed',
      hostId: 'host-1',
      requestedAt: expect.stringMatching(/Z$/),
      startedAt: expect.stringMatching(/Z$/),
      endedAt: expect.stringMatching(/Z$/),
      durationMs: expect.any(Number),
    });
    expect(page.agentProcesses[0]).toMatchObject({ parentRequestId: 'child', rootRequestId: 'top' });
  });

  test('of a child run are its own and those below it', async () => {
    expect((await list('requestId=child')).agentProcesses).toHaveLength(5);
    expect(inShort(await list('requestId=nested'))).toEqual(['nested interview openai_chat 1 running']);
    expect(await list('requestId=unknown')).toEqual({ agentProcesses: [] });
  });

  test('can be filtered, and come in pages', async () => {
    expect(inShort(await list('runtimeId=pi&workspaceId=w2'))).toEqual([
      'other execute pi 2 completed',
      'other execute pi 1 failed',
    ]);
    expect(inShort(await list('state=running'))).toEqual(['nested interview openai_chat 1 running']);
    expect((await list('stage=evaluate&hostId=host-1')).agentProcesses).toHaveLength(2);
    const first = await list('requestId=top&limit=2');
    const second = await list(`requestId=top&limit=3&cursor=${first.next}`);
    expect([...inShort(first), ...inShort(second)]).toEqual(inShort(await list('requestId=top')));
    expect(second.next).toBeUndefined();
    const invalid = await api.get('/agent-processes?state=odd&stage=ship&limit=0&cursor=x&requestId=a.b');
    const paths = (invalid.body.errors as { path: string }[]).map(({ path }) => path);
    expect([invalid.status, [...new Set(paths)].sort()]).toEqual([
      400,
      ['cursor', 'limit', 'requestId', 'stage', 'state'],
    ]);
  });
});
