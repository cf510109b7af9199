import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AckPolicy } from '@nats-io/jetstream';
import { consume, DeadLetters, OrderedPublisher } from '@reins/bus';
import { type AnyEvent, eventSubject, problemsOfEvent, ReinsError } from '@reins/contracts';
import { until } from '@reins/testing';
import type { DeadLetterView } from '../dead-letters/dead-letters.dto.ts';
import type { RunSubjects } from '../events/run-log.ts';
import type { Command } from '../requests/commands.ts';
import { TestGateway } from '../testing/test-gateway.ts';

let api: TestGateway;
beforeAll(async () => {
  api = await TestGateway.start();
});
afterAll(() => api.stop());

async function sentTo(requestId: unknown): Promise<Command[]> {
  const commands = (await api.commands()).filter((command) => command.requestId === requestId);
  for (const command of commands) expect(problemsOfEvent(command)).toEqual([]);
  return commands.slice(1);
}

describe('a command to a run', () => {
  const REASON = { reason: 'because' };
  const BY_OPERATOR = { ...REASON, requestedBy: 'key 0a' };

  test.each([
    ['pause', REASON, { type: 'command.run.pause', ...BY_OPERATOR }],
    ['resume', undefined, { type: 'command.run.resume', requestedBy: 'key 0a' }],
    ['unpark', REASON, { type: 'command.run.unpark', ...BY_OPERATOR }],
    ['pause', { requestedBy: 'ann' }, { type: 'command.run.pause', requestedBy: 'ann (key 0a)' }],
    ['cancel', { requestedBy: 'ann' }, { type: 'command.run.cancel', requestedBy: 'ann (key 0a)' }],
    ['halt', { ...REASON, output: [1] }, { type: 'command.run.halt', ...BY_OPERATOR, payload: [1] }],
    [
      'process',
      { process: 'process/main.ts#ship', inputs: null, force: true, ...REASON },
      { type: 'command.run.assign', process: 'process/main.ts#ship', inputs: null, force: true, ...BY_OPERATOR },
    ],
    [
      'process',
      { process: 'process/main.ts#ship', revision: 'c'.repeat(64) },
      { type: 'command.run.assign', process: 'process/main.ts#ship', revision: 'c'.repeat(64) },
    ],
    ['signals', { name: 'go', payload: null }, { type: 'command.signal', name: 'go', payload: null }],
    [
      'approvals/ap1',
      { decision: 'denied', comment: 'no' },
      { type: 'command.approval.resolve', approvalId: 'ap1', decision: 'denied', decidedBy: 'key 0a', comment: 'no' },
    ],
    [
      'tasks/ef_1/answer',
      { value: 0 },
      { type: 'command.run.answer', effectId: 'ef_1', answer: 0, answeredBy: 'key 0a' },
    ],
    [
      'tasks/ef_1/answer',
      { error: { code: 'x', message: 'y' }, answeredBy: 'ann' },
      {
        ...{ type: 'command.run.answer', effectId: 'ef_1', answer: null, error: { code: 'x', message: 'y' } },
        answeredBy: 'ann (key 0a)',
      },
    ],
    ['tasks/ef_1/cancel', REASON, { type: 'command.effect.cancel', effectId: 'ef_1', ...BY_OPERATOR }],
    ['effects/ef_1/invalidate', REASON, { type: 'command.effect.invalidate', effectId: 'ef_1', ...BY_OPERATOR }],
  ])('%s %j is published to the inbox once per key', async (path, body, command) => {
    const { requestId } = (await api.submit()).body;
    const init = {
      method: 'POST',
      headers: { 'idempotency-key': 'k', ...(body && { 'content-type': 'application/json' }) },
    };
    const call = () =>
      api.fetch(`/api/v1/requests/${requestId}/${path}`, { ...init, ...(body && { body: JSON.stringify(body) }) });
    const answers = [await call(), await call()];
    expect(answers.map(({ status }) => status)).toEqual([202, 202]);
    const bodies = answers.map((answer) => answer.json() as Promise<{ readonly idempotencyKey: string }>);
    const [idempotencyKey, again] = (await Promise.all(bodies)).map((each) => each.idempotencyKey);
    expect(again).toBe(idempotencyKey);
    expect(await sentTo(requestId)).toEqual([expect.objectContaining({ ...command, idempotencyKey })]);
  });

  test.each([
    ['approvals/ap1', { decision: 'maybe' }, 'decision'],
    ['approvals/a.b', { decision: 'approved' }, 'approvalId'],
    ['process', { force: true }, 'process'],
    ['process', { process: 'pipeline', force: 'yes' }, 'force'],
    ['signals', { payload: 1 }, 'name'],
    ['tasks/ef_1/answer', { value: 1, error: { code: 'x', message: 'y' } }, 'error'],
    ['tasks/ef_1/answer', { error: { code: '' } }, 'error.code'],
    ['pause', { reason: 1 }, 'reason'],
  ])('%s %j is refused with the path of the problem', async (path, body, wrong) => {
    const { requestId } = (await api.submit()).body;
    const refused = await api.post(`/requests/${requestId}/${path}`, body);
    expect([refused.status, refused.body.code]).toEqual([400, 'request_invalid']);
    expect(JSON.stringify(refused.body)).toContain(`"path":"${wrong}"`);
  });

  test('needs an existing, open request', async () => {
    expect((await api.post('/requests/unknown/pause', {})).status).toBe(404);
    const { body } = await api.submit();
    await api.publishRun(body);
    expect((await api.post(`/requests/${body.requestId}/pause`, {})).body.code).toBe('request_ended');
  });

  test('can target a child run, which has no request record', async () => {
    const inside = { requestId: 'run_0123', sessionId: 'run_0123', workspaceId: 'quickstart' };
    await api.publishRun(inside, 0, 1);
    expect((await api.post('/requests/run_0123/signals', { name: 'go' })).status).toBe(202);
    const sent = (await api.commands()).filter(({ requestId }) => requestId === 'run_0123');
    expect(sent).toEqual([expect.objectContaining({ type: 'command.signal', sessionId: 'run_0123' })]);
  });
});

test('the tasks of a request come from its event log', async () => {
  const { requestId, sessionId, workspaceId } = (await api.submit()).body as Record<string, string>;
  const publisher = new OrderedPublisher(api.bus);
  const type = 'runtime.task.requested';
  const body = {
    type,
    requestId,
    sessionId,
    workspaceId,
    agentId: 'main',
    effectId: 'ef_1',
    kind: 'node',
    taskId: 'a',
  };
  const headers = { id: 'task-1', type, source: 'test', time: new Date().toISOString(), version: 2 };
  const data = new TextEncoder().encode(JSON.stringify(body));
  await publisher.publishAll([{ subject: `${type}.${workspaceId}.${requestId}`, data, headers }]);
  await publisher.close();
  const { tasks } = (await api.get(`/requests/${requestId}/tasks`)).body;
  expect(tasks).toEqual([{ effectId: 'ef_1', attempt: 1, kind: 'node', taskId: 'a', status: 'pending' }]);
});

const UNTIL = '2027-01-01T00:00:00.000Z';

describe('the target of a command', () => {
  async function withBreakpoint(): Promise<Record<string, string>> {
    const run = (await api.submit()).body as Record<string, string>;
    const { requestId, sessionId, workspaceId } = run;
    const type = 'runtime.approval.requested';
    const head = { type, requestId, sessionId, workspaceId, agentId: 'main' };
    const body = { ...head, approvalId: 'ef_1', subject: { kind: 'breakpoint', label: 'Ship' }, expiresAt: UNTIL };
    const headers = { id: `${requestId}-1`, type, source: 'test', time: new Date().toISOString(), version: 2 };
    const publisher = new OrderedPublisher(api.bus);
    const data = new TextEncoder().encode(JSON.stringify(body));
    await publisher.publishAll([{ subject: `${type}.${workspaceId}.${requestId}`, data, headers }]);
    await publisher.close();
    return run;
  }

  test.each([
    ['answers', { effectId: 'ef_1', answer: 'no' }],
    ['tasks/ef_1/answer', { value: false }],
    ['tasks/ef_1/answer', { error: { code: 'task_failed', message: 'no' } }],
  ])('%s %j is refused, because a breakpoint takes a decision', async (path, body) => {
    const { requestId } = await withBreakpoint();
    const refused = await api.post(`/requests/${requestId}/${path}`, body);
    expect([refused.status, refused.body.code, refused.body.path]).toEqual([400, 'answer_invalid', 'answer']);
    expect(refused.body.hint).toContain('"approve"');
    expect(await sentTo(requestId)).toEqual([]);
  });

  test('a decision is recorded with the person and the key', async () => {
    const { requestId } = await withBreakpoint();
    const body = { effectId: 'ef_1', answer: 'deny', answeredBy: 'ann' };
    expect((await api.post(`/requests/${requestId}/answers`, body)).body.status).toBe('answered');
    expect(await sentTo(requestId)).toMatchObject([{ answer: 'deny', answeredBy: 'ann (key 0a)' }]);
  });

  test('a resume says that a process with a bug runs the same code again, and what corrects it', async () => {
    const { requestId, sessionId, workspaceId } = (await api.submit()).body as Record<string, string>;
    const type = 'runtime.request.waiting';
    const head = { type, requestId, sessionId, workspaceId, agentId: 'main' };
    const error = { code: 'process_failed', message: 'it broke' };
    const process = 'process/main.ts#process';
    const body = { ...head, reason: 'operator', effectId: requestId, process, error } as unknown as AnyEvent;
    const subject = eventSubject({ type: body.type, workspaceId: String(workspaceId), requestId: String(requestId) });
    const time = new Date().toISOString();
    await api.publishEvents([{ id: `${requestId}-1`, seq: 1, subject, source: 'control-bus', time, version: 2, body }]);
    const { status, message } = (await api.post(`/requests/${requestId}/resume`, {})).body;
    expect(status).toBe('resuming');
    expect(message).toBe(
      `the process runs the same code again; another command gives it corrected code: reins requests assign ${requestId} <dir> --process ${process} # with the corrected code`,
    );
  });

  test('a resume of a request that is not paused says so', async () => {
    const { requestId, sessionId, workspaceId } = (await api.submit()).body as Record<string, string>;
    const notPaused = { status: 'not_paused', message: 'the request is not paused, and its process has not failed' };
    const resume = async () => (await api.post(`/requests/${requestId}/resume`, {})).body;
    expect(await resume()).toMatchObject(notPaused);
    const head = { requestId, sessionId, workspaceId, agentId: 'main', effectId: requestId };
    const publish = async (seq: number, type: 'runtime.request.waiting' | 'runtime.request.resumed', fields = {}) => {
      const body = { type, ...head, ...fields } as unknown as AnyEvent;
      const subject = eventSubject({ type, workspaceId: String(workspaceId), requestId: String(requestId) });
      const about = { id: `${requestId}-${seq}`, seq, subject, source: 'control-bus', version: seq + 1, body };
      await api.publishEvents([{ ...about, time: new Date().toISOString() }]);
    };
    await publish(1, 'runtime.request.waiting', { reason: 'operator', message: 'lunch' });
    expect(await resume()).toMatchObject({ status: 'resuming' });
    await publish(2, 'runtime.request.resumed');
    expect(await resume()).toMatchObject(notPaused);
  });

  test('an answer to a wait for a signal names the signal, and the command that sends it', async () => {
    const { requestId, sessionId, workspaceId } = (await api.submit()).body as Record<string, string>;
    const type = 'runtime.request.waiting';
    const head = { requestId, sessionId, workspaceId, agentId: 'main', effectId: 'ef_9' };
    const body = { type, ...head, reason: 'signal', signal: 'go' } as unknown as AnyEvent;
    const subject = eventSubject({ type, workspaceId: String(workspaceId), requestId: String(requestId) });
    const time = new Date().toISOString();
    await api.publishEvents([{ id: `${requestId}-1`, seq: 1, subject, source: 'control-bus', time, version: 2, body }]);
    const answer = (await api.post(`/requests/${requestId}/answers`, { effectId: 'ef_9', answer: 'go' })).body;
    expect(answer).toMatchObject({
      status: 'not_pending',
      message: `ef_9 takes no answer: it waits for signal go; send it with \`reins requests signal ${requestId} go\``,
    });
  });

  test('an effect that the request does not wait for is reported', async () => {
    const { requestId } = await withBreakpoint();
    const { status, body } = await api.post(`/requests/${requestId}/answers`, { effectId: 'ef_2', answer: 1 });
    expect([status, body.status]).toEqual([202, 'not_pending']);
    expect(body.message).toBe('the request does not wait for ef_2; it waits for breakpoint ef_1 (Ship)');
    expect((await api.post(`/requests/${requestId}/signals`, { name: 'go' })).body.status).toBe('queued');
  });
});

describe('an answer to a question', () => {
  const fact = async (head: object, seq: number, type: string, fields: object) => {
    const body = { type, ...head, agentId: 'main', effectId: 'ef_1', ...fields } as unknown as AnyEvent;
    const { requestId, workspaceId } = head as RunSubjects;
    const subject = eventSubject({ type: body.type, workspaceId, requestId });
    const time = '2026-11-22T12:00:00.000Z';
    await api.publishEvents([{ id: `${requestId}.${seq}`, seq, subject, source: 'control-bus', time, body }]);
  };
  async function withQuestion() {
    const { requestId, sessionId, workspaceId } = (await api.submit()).body as Record<string, string>;
    const head = { requestId, sessionId, workspaceId };
    const stage = { stage: 'execute', runtimeId: 'echo' };
    const ask = (n: number) =>
      fact(head, n * 2, 'runtime.stage.waiting', { ...stage, question: 'sure?', questionNumber: n });
    await ask(1);
    const answer = async (more: object, headers?: Record<string, string>) =>
      (await api.post(`/requests/${requestId}/answers`, { effectId: 'ef_1', answer: 'yes', ...more }, headers)).body;
    return { requestId, ask, answer, resume: () => fact(head, 3, 'runtime.request.resumed', {}) };
  }

  test('names the question that is open when the call arrives', async () => {
    const { requestId, ask, answer, resume } = await withQuestion();
    expect(await answer({})).toMatchObject({ status: 'answered' });
    await resume();
    expect(await answer({})).toMatchObject({ status: 'not_pending' });
    await ask(2);
    expect(await answer({})).toMatchObject({ status: 'answered' });
    expect(await sentTo(requestId)).toMatchObject([1, 1, 2].map((questionNumber) => ({ questionNumber })));
  });

  test('names the question that the call names, also if another one is open', async () => {
    const { requestId, ask, answer, resume } = await withQuestion();
    await resume();
    await ask(2);
    expect(await answer({ questionNumber: 1 })).toMatchObject({
      status: 'not_pending',
      message: 'the request does not wait for question 1; it waits for question 2 of ef_1',
    });
    expect(await answer({ questionNumber: 0 })).toMatchObject({ code: 'request_invalid' });
    expect(await sentTo(requestId)).toMatchObject([{ questionNumber: 1 }]);
  });

  test('names the question of the first call when the call is repeated, also if another one is open', async () => {
    const { requestId, ask, answer, resume } = await withQuestion();
    const bob = { 'idempotency-key': 'bob' };
    await answer({}, { 'idempotency-key': 'ann' });
    await resume();
    expect(await answer({}, bob)).toMatchObject({ status: 'not_pending' });
    await ask(2);
    expect(await answer({}, bob)).toMatchObject({
      status: 'not_pending',
      message: 'the request does not wait for question 1; it waits for question 2 of ef_1',
    });
    expect(await answer({}, { 'idempotency-key': 'carl' })).toMatchObject({ status: 'answered' });
    expect(await sentTo(requestId)).toMatchObject([1, 1, 2].map((questionNumber) => ({ questionNumber })));
  });

  test('names the open question as the result of a task, too', async () => {
    const { requestId } = await withQuestion();
    await api.post(`/requests/${requestId}/tasks/ef_1/answer`, { value: 'yes' });
    expect(await sentTo(requestId)).toMatchObject([{ answer: 'yes', questionNumber: 1 }]);
  });
});

test('a request can select its process', async () => {
  const { requestId } = (await api.submit({ process: 'workflow' })).body;
  const [command] = (await api.commands()).filter((each) => each.requestId === requestId);
  expect(command).toMatchObject({ type: 'command.run.submit', process: 'workflow' });
});

test('a refused command names who sent it', async () => {
  const { requestId } = (await api.submit()).body;
  await api.post(`/requests/${requestId}/pause`, { requestedBy: 'ann' });
  const durable = 'refuses-pauses';
  const filter = { filter_subject: 'inbox.*.command.run.pause.>', ack_policy: AckPolicy.Explicit };
  await api.bus.jsm.consumers.add('INBOX', { durable_name: durable, ...filter });
  const handler = () => Promise.reject(new ReinsError({ code: 'request_invalid', message: 'not now' }));
  const refuses = await consume(api.bus, { stream: 'INBOX', durable, concurrency: 1, handler });
  const refused = async () =>
    (await api.get(`/requests/${requestId}/dead-letters`)).body.deadLetters as DeadLetterView[];
  const [letter] = await until(async () => (await refused()).length > 0 && refused());
  expect(letter).toMatchObject({ type: 'command.run.pause', requestedBy: expect.stringMatching(/^ann\b/) });
  await refuses.stop();
  await api.bus.jsm.consumers.delete('INBOX', durable);
});

test('refused commands are listed for their own request only', async () => {
  const [{ body: mine }, { body: other }] = [await api.submit(), await api.submit()];
  const send = async ({ requestId }: Record<string, unknown>) =>
    (await api.post(`/requests/${requestId}/signals`, { name: 'go' })).body;
  const [{ idempotencyKey }] = [await send(mine), await send(other)];
  const durable = 'refuses';
  const filter = { filter_subject: 'inbox.*.command.signal.>', ack_policy: AckPolicy.Explicit };
  await api.bus.jsm.consumers.add('INBOX', { durable_name: durable, ...filter });
  const problem = { code: 'signals_full', message: 'go is not kept', hint: 'redrive it' } as const;
  const handler = () => Promise.reject(new ReinsError(problem));
  const refuses = await consume(api.bus, { stream: 'INBOX', durable, concurrency: 1, handler });
  const refusedOf = async ({ requestId }: Record<string, unknown>) =>
    (await api.get(`/requests/${requestId}/dead-letters`)).body.deadLetters as DeadLetterView[];
  await until(async () => (await refusedOf(mine)).length > 0 && (await refusedOf(other)).length > 0);
  const [letter, ...more] = await refusedOf(mine);
  expect(more).toEqual([]);
  expect(letter).toMatchObject({ type: 'command.signal', idempotencyKey, deliveries: 1, problem });
  const stored = await new DeadLetters(api.bus).show(Number(letter?.seq));
  expect(JSON.parse(new TextDecoder().decode(stored?.data))).toMatchObject({ requestId: mine.requestId, name: 'go' });
  expect((await api.get('/requests/unknown/dead-letters')).status).toBe(404);
  await refuses.stop();
  await api.bus.jsm.consumers.delete('INBOX', durable);
});
