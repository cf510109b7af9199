import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type AnyEvent, eventSubject } from '@reins/contracts';
import { projectRequest } from '../testing/project-request.ts';
import { TestGateway } from '../testing/test-gateway.ts';

let api: TestGateway;
beforeAll(async () => {
  api = await TestGateway.start();
});
afterAll(() => api.stop());

describe('a request that was forked', () => {
  test('names the source of the stages that it shares, which have no duration; a wait has its label', async () => {
    const { body } = await api.submit();
    const { requestId, sessionId, workspaceId } = body as Record<string, string>;
    const [interview, execute] = ['interview', 'execute'].map((stage) => ({
      ...{ effectId: stage, stage, runtimeId: 'pi', attempt: 1, hostId: 'h1' },
    }));
    const ends = { output: {}, tree: 'b'.repeat(64), mcpServerMappings: [], timings: {} };
    const limits = { startWithinMs: 1, runForMs: 1, maxAttempts: 1, onUnknown: 'fail' };
    const hostRequestRef = { sha256: 'c'.repeat(64), size: 1 };
    const asked = { limits, hostRequestRef, deadline: '2027-01-01T00:00:00.000Z' };
    const facts: readonly (readonly [string, object])[] = [
      ['runtime.request.started', { input: 'again', forkedFrom: 'first' }],
      ['runtime.stage.started', { ...interview, ...ends, runtimeSource: 'default' }],
      ['runtime.stage.completed', { ...interview, ...ends }],
      ['runtime.stage.requested', { ...execute, ...ends, ...asked }],
      ['runtime.stage.started', { ...execute, ...ends }],
      ['runtime.stage.completed', { ...execute, ...ends }],
      [
        'runtime.request.waiting',
        { reason: 'signal', effectId: 's1', signal: 'go', message: 'signal go: green', label: 'green' },
      ],
    ];
    await api.publishEvents(
      facts.map(([type, fields], version) => {
        const event = { type, requestId, sessionId, workspaceId, agentId: 'main', ...fields } as unknown as AnyEvent;
        const runtime = type === 'runtime.stage.requested' ? { runtimeId: 'pi' } : {};
        const address = { type: event.type, workspaceId: String(workspaceId), requestId: String(requestId) };
        const subject = eventSubject({ ...address, ...runtime });
        const time = `2026-11-22T12:00:0${version}.000Z`;
        return { id: `${requestId}.${version}`, seq: 0, subject, source: 'control-bus', time, version, body: event };
      }),
    );
    const fromLog = (await api.get(`/requests/${requestId}`)).body;
    expect(fromLog.waiting).toMatchObject({ message: 'signal go: green', label: 'green' });
    const [shared, own] = fromLog.stages as Record<string, unknown>[];
    expect(shared).toMatchObject({ stage: 'interview', status: 'completed', sharedFrom: 'first' });
    expect(shared).not.toHaveProperty('durationMs');
    expect(own).toMatchObject({ stage: 'execute', status: 'completed', durationMs: 1000 });
    expect(own).not.toHaveProperty('sharedFrom');
    await projectRequest(api, String(requestId));
    expect((await api.get(`/requests/${requestId}`)).body).toEqual(fromLog);
  });
});

describe('a request with child runs', () => {
  test('has their stages, usage and tree, from the log as from the read model', async () => {
    const { body } = await api.submit();
    const id = String(body.requestId);
    const [child, nested] = [`run_${id}_1`, `run_${id}_2`] as const;
    await api.publishNested(body, [child, nested]);
    const fromLog = await api.get(`/requests/${id}`);
    expect(fromLog.body).toMatchObject({
      status: 'running',
      tree: 'b'.repeat(64),
      usage: { inputTokens: 200, outputTokens: 40, costUsd: 1, source: 'reported' },
      artifacts: [{ path: 'out.txt' }, { path: 'out.txt' }],
      children: [{ requestId: child, parentRequestId: id, children: [{ requestId: nested, parentRequestId: child }] }],
    });
    const stages = fromLog.body.stages as { requestId: string; parentRequestId: string }[];
    expect(stages.map((run) => [run.requestId, run.parentRequestId])).toEqual([
      ...Array(4).fill([child, id]),
      ...Array(4).fill([nested, child]),
    ]);
    const childFromLog = await api.get(`/requests/${child}`);
    expect(childFromLog).toMatchObject({
      status: 200,
      body: { status: 'completed', children: [{ requestId: nested }] },
    });
    for (const each of [id, child, nested]) await projectRequest(api, each);
    expect((await api.get(`/requests/${id}`)).body).toEqual(fromLog.body);
    expect((await api.get(`/requests/${child}`)).body).toEqual(childFromLog.body);
    expect((await api.get(`/requests/${child}`)).body).toMatchObject({
      parentRequestId: id,
      children: [{ requestId: nested }],
      usage: { inputTokens: 200 },
    });
  });

  test('has their directives', async () => {
    const { body } = await api.submit();
    const id = String(body.requestId);
    await api.publishNested(body, [`run_${id}_1`, `run_${id}_2`]);
    type Directives = {
      directives: { requestId: string; seq: number; extra?: { stage: string; runtime_id: string } }[];
    };
    const listed = async (of: string) => ((await api.get(`/requests/${of}/directives`)).body as Directives).directives;
    const all = await listed(id);
    expect(all.map(({ seq }) => seq)).toEqual(all.map(({ seq }) => seq).sort((a, b) => a - b));
    expect(all.filter(({ extra }) => extra).map(({ requestId, extra }) => [requestId, extra?.runtime_id])).toEqual(
      [1, 2].flatMap((at) => ['openai_chat', 'pi', 'pi', 'openai_chat'].map((runtime) => [`run_${id}_${at}`, runtime])),
    );
    expect(await listed(`run_${id}_2`)).toEqual(all.filter(({ requestId }) => requestId === `run_${id}_2`));
    expect((await api.get('/requests/unknown/directives')).status).toBe(404);
  });

  test('is listed with them', async () => {
    const { body } = await api.submit({ sessionId: 'nested' });
    const id = String(body.requestId);
    await api.publishNested(body, [`run_${id}`]);
    for (const each of [id, `run_${id}`]) await projectRequest(api, each);
    for (const filter of ['sessionId=nested', `sessionId=run_${id}`, 'status=completed&limit=200']) {
      const { requests } = (await api.get(`/requests?${filter}`)).body as { requests: { requestId: string }[] };
      expect(requests.filter(({ requestId }) => requestId.endsWith(id))).toMatchObject([
        { requestId: id, status: 'running', children: [{ requestId: `run_${id}`, status: 'completed' }] },
      ]);
    }
  });
});
