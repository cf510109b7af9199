import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { inboxSubject, problemsOfEvent } from '@reins/contracts';
import { addKey, TestGateway } from '../testing/test-gateway.ts';

let api: TestGateway;
beforeAll(async () => {
  api = await TestGateway.start();
});
afterAll(() => api.stop());

describe('submitting', () => {
  test('returns 202 when the command is in the inbox of its partition', async () => {
    const octets = { method: 'POST', headers: { 'content-type': 'application/octet-stream' }, body: 'image' };
    const stored = (await (await api.fetch('/api/v1/blobs', octets)).json()) as { sha256: string; size: number };
    const attachment = { ...stored, mediaType: 'image/png' };
    const accepted = await api.submit({
      input: { text: 'hi' },
      attachments: [attachment],
      sessionId: 'session-1',
      agentId: 'coder',
      model: 'openai/x',
      thinkingValue: 'high',
      stages: { execute: 'codex' },
      metadata: { ticket: 7, context: { user: { name: 'Ada' }, actor: 'forged' } },
    });
    expect(accepted.status).toBe(202);
    const { requestId, revision } = accepted.body as { requestId: string; revision: string };
    expect(accepted.headers.get('location')).toBe(`/api/v1/requests/${requestId}`);
    const command = (await api.commands()).find((each) => each.requestId === requestId);
    expect(command).toEqual({
      type: 'command.run.submit',
      requestId,
      traceparent: expect.stringMatching(/^00-/),
      workspaceId: 'quickstart',
      sessionId: 'session-1',
      agentId: 'coder',
      idempotencyKey: requestId,
      revision,
      input: { text: 'hi' },
      attachments: [attachment],
      model: 'openai/x',
      thinkingValue: 'high',
      stages: { execute: 'codex' },
      // The gateway names the key of the call.
      metadata: { ticket: 7, context: { user: { name: 'Ada' }, actor: expect.stringMatching(/^key /) } },
      submittedAt: expect.any(String),
    });
    const subject = inboxSubject({ type: 'command.run.submit', workspaceId: 'quickstart', runId: requestId }, 4);
    expect((await api.bus.jsm.streams.getMessage('INBOX', { last_by_subj: subject }))?.subject).toBe(subject);
  });

  test('is refused for an agent that the workspace does not have, with those that it has', async () => {
    const team = 'agents: [{id: a, model: m, coordinator: true}, {id: b, model: m}]\nmcp_registry: {servers: {}}\n';
    const files = [{ path: 'workspace.yaml', content: team }];
    await api.post('/workspaces', { workspaceId: 'team', files });
    const refused = await api.submit({ workspace: { id: 'team' }, agentId: 'c' });
    expect(refused.body).toMatchObject({ status: 400, code: 'agent_unknown', hint: 'Use one of: a, b.' });
    for (const agentId of ['a', 'b', 'main'])
      expect((await api.submit({ workspace: { id: 'team' }, agentId })).status).toBe(202);
  });

  test('is refused for a runtime that no host offers, with a hint', async () => {
    const refused = await api.submit({ stages: { execute: 'hermes' } });
    expect([refused.status, refused.body.code]).toEqual([503, 'runtime_missing']);
    expect(refused.body.detail).toContain('no harness host offers runtime hermes');
    expect(refused.body.hint).toMatch(/a runtime that a host offers \(.*codex.*\).*reins doctor/);
    const misspelled = await api.submit({ stages: { execute: 'codexx' } });
    expect(misspelled.body.hint).toMatch(/^Did you mean codex\?/);
  });

  test('is refused for a model of a provider that is not configured, with the providers that are', async () => {
    const strict = await TestGateway.start(({ providers }) => {
      const endpoint = { api: 'openai-completions', baseUrl: 'http://127.0.0.1:9/v1' } as const;
      Object.assign(providers, { local: { ...endpoint, models: { 'team/fake': {} } }, openai: endpoint });
    });
    try {
      const refused = await strict.submit({ model: 'opnai/gpt-5' });
      expect([refused.status, refused.body.code, refused.body.path]).toEqual([
        400,
        'model_provider_unconfigured',
        'model',
      ]);
      expect(refused.body.detail).toContain("the provider 'opnai' of the model 'opnai/gpt-5' is not configured");
      expect(refused.body.detail).toContain('(configured: local, openai)');
      expect(refused.body.hint).toBe('Did you mean openai/gpt-5?');
      for (const model of ['local/any', 'team/fake', 'bare']) expect((await strict.submit({ model })).status).toBe(202);
    } finally {
      await strict.stop();
    }
  });

  test('is idempotent per key and caller, and refuses a key with another body', async () => {
    await addKey(api.bus, '0d', 'fff1');
    const key = { 'idempotency-key': 'order-17' };
    const first = await api.submit({}, key);
    const again = await api.submit({}, key);
    expect(again.status).toBe(202);
    expect(again.body).toEqual(first.body);
    expect([first.headers.get('idempotency-replayed'), again.headers.get('idempotency-replayed')]).toEqual([
      null,
      'true',
    ]);
    const other = await api.submit({ input: 'something else' }, key);
    expect([other.status, other.body.code, other.body.path]).toEqual([409, 'idempotency_conflict', 'idempotency-key']);
    const stranger = await api.submit({}, { ...key, authorization: 'Bearer rk_0d_fff1' });
    expect(stranger.body.requestId).not.toBe(first.body.requestId);
    const sent = (await api.commands()).filter((command) => command.idempotencyKey === 'order-17');
    expect(sent.map((command) => command.requestId)).toEqual([first.body.requestId, stranger.body.requestId]);
  });

  test('returns the same response for a known key, whatever has changed since', async () => {
    const key = { 'idempotency-key': 'kept' };
    const body = { workspace: { id: 'changing' }, input: 'x' };
    const upload = (content: string) =>
      api.post('/workspaces', { workspaceId: 'changing', files: [{ path: 'AGENTS.md', content }] });
    await upload('one');
    const first = await api.post('/requests', body, key);
    await upload('two');
    expect((await api.post('/requests', body, key)).body).toEqual(first.body);
    expect((await api.post('/requests', body)).body.revision).not.toBe(first.body.revision);
  });

  test('creates one request for concurrent calls with one key', async () => {
    await api.submit();
    const body = { workspace: { id: 'quickstart' }, input: 'race' };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => api.post('/requests', body, { 'idempotency-key': 'race' })),
    );
    expect(new Set(answers.map((each) => each.body.requestId)).size).toBe(1);
    expect((await api.commands()).filter((command) => command.idempotencyKey === 'race')).toHaveLength(1);
  });

  test('stores a body that exceeds the message size in the blob store', async () => {
    const accepted = await api.submit({ input: 'x'.repeat(2_000_000) });
    expect(accepted.status).toBe(202);
    expect((await api.commands()).at(-1)).toHaveProperty('$blob');
  });

  test('reports all problems of a body in one response', async () => {
    const refused = await api.post('/requests', {
      workspace: { id: 'a b', revision: 'zzz' },
      attachments: [{ sha256: 'q', size: -1 }],
      stages: { dance: 'pi' },
      sessionId: 'x.y',
      model: '',
      agentId: null,
      extra: 1,
    });
    expect(refused.status).toBe(400);
    const { code, errors, type } = refused.body as {
      code: string;
      type: string;
      errors: { path: string; code: string }[];
    };
    expect([type, code]).toEqual(['urn:reins:problem:request_invalid', 'request_invalid']);
    expect(errors.map((problem) => problem.path).sort()).toEqual([
      'agentId',
      'attachments[0].sha256',
      'attachments[0].size',
      'extra',
      'input',
      'model',
      'sessionId',
      'stages',
      'workspace.id',
      'workspace.revision',
    ]);
  });

  test.each([
    ['not JSON', '{', 'application/json', 400, 'request_invalid'],
    ['not an object', '[1]', 'application/json', 400, 'request_invalid'],
    ['null', 'null', 'application/json', 400, 'request_invalid'],
    ['a forged prototype', '{"__proto__": {"a": 1}}', 'application/json', 400, 'request_invalid'],
    ['another media type', 'a=1', 'text/csv', 415, 'media_type_unsupported'],
  ])('refuses a body that is %s with a problem document', async (_what, body, mediaType, status, code) => {
    const response = await api.fetch('/api/v1/requests', {
      method: 'POST',
      headers: { 'content-type': mediaType },
      body,
    });
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([status, code]);
  });

  test('needs an uploaded workspace and uploaded attachments', async () => {
    const unknown = await api.post('/requests', { workspace: { id: 'unknown' }, input: 1 });
    expect([unknown.status, unknown.body.code, unknown.body.path]).toEqual([
      404,
      'workspace_not_found',
      'workspace.id',
    ]);
    const revision = await api.post('/requests', {
      workspace: { id: 'quickstart', revision: 'f'.repeat(64) },
      input: 1,
    });
    expect([revision.status, revision.body.path]).toEqual([404, 'workspace.revision']);
    const attachment = await api.submit({ attachments: [{ sha256: 'e'.repeat(64), size: 1 }] });
    expect([attachment.status, attachment.body.path]).toEqual([400, 'attachments[0].sha256']);
  });

  test('an unknown path returns a problem document', async () => {
    const missing = await api.get('/nothing');
    expect([missing.status, missing.body.code]).toEqual([404, 'route_not_found']);
  });
});

test('a command continues the trace of the call', async () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const tracestate = 'vendor=1,other=2';
  const { body } = await api.submit({}, { traceparent, tracestate, baggage: 'user=alice' });
  const type = 'command.run.submit';
  const subject = inboxSubject({ type, workspaceId: 'quickstart', runId: String(body.requestId) }, 4);
  const sent = await api.bus.jsm.streams.getMessage('INBOX', { last_by_subj: subject });
  const trace = /^00-0af7651916cd43dd8448eb211c80319c-(?!b7ad6b7169203331)[0-9a-f]{16}-01$/;
  expect(sent?.header.get('traceparent')).toMatch(trace);
  expect([sent?.header.get('tracestate'), sent?.header.has('baggage')]).toEqual([tracestate, false]);
  expect(sent?.json()).toMatchObject({ traceparent: sent?.header.get('traceparent'), tracestate });
});

describe('a command for a request', () => {
  test('cancel and answer are published to the inbox', async () => {
    const { body } = await api.submit();
    const { requestId } = body;
    const answers = [
      await api.post(`/requests/${requestId}/cancel`, { reason: 'enough' }, { 'idempotency-key': 'c1' }),
      await api.post(`/requests/${requestId}/cancel`, { reason: 'enough' }, { 'idempotency-key': 'c1' }),
      await api.post(`/requests/${requestId}/answers`, { effectId: 'e5', answer: { colour: 'red' } }),
    ];
    expect(answers.map((each) => each.status)).toEqual([202, 202, 202]);
    const sent = (await api.commands()).filter((command) => command.requestId === requestId).slice(1);
    expect(sent).toEqual([
      expect.objectContaining({
        type: 'command.run.cancel',
        reason: 'enough',
        requestedBy: 'key 0a',
        idempotencyKey: expect.stringMatching(/^command\.run\.cancel\.[0-9a-f]{64}$/),
      }),
      expect.objectContaining({ type: 'command.run.answer', effectId: 'e5', answer: { colour: 'red' } }),
    ]);
  });

  test('is deduplicated only for the same key, caller and target', async () => {
    await addKey(api.bus, '0e', 'fff2');
    const { requestId } = (await api.submit()).body;
    const key = { 'idempotency-key': 'submit' };
    const stranger = { ...key, authorization: 'Bearer rk_0e_fff2' };
    const sending = [
      ['cancel', {}, key],
      ['answers', { effectId: 'e1', answer: 1 }, key],
      ['answers', { effectId: 'e2', answer: 2 }, key],
      ['answers', { effectId: 'e2', answer: 2 }, key],
      ['cancel', {}, stranger],
    ] as const;
    for (const [call, body, headers] of sending)
      expect((await api.post(`/requests/${requestId}/${call}`, body, headers)).status).toBe(202);
    const sent = (await api.commands()).filter((command) => command.requestId === requestId).slice(1);
    expect(sent.map((each) => ('effectId' in each ? each.effectId : each.type))).toEqual([
      'command.run.cancel',
      'e1',
      'e2',
      'command.run.cancel',
    ]);
    expect(new Set(sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(4);
  });

  test('can cancel without a body, but only an open request', async () => {
    const { body } = await api.submit();
    expect((await api.fetch(`/api/v1/requests/${body.requestId}/cancel`, { method: 'POST' })).status).toBe(202);
    await api.publishRun(body);
    const late = await api.post(`/requests/${body.requestId}/cancel`, {});
    expect([late.status, late.body.code]).toEqual([409, 'request_ended']);
    expect((await api.post('/requests/unknown/cancel', {})).status).toBe(404);
  });
});

test('every published command is valid', async () => {
  const commands = (await api.commands()).filter((command) => !('$blob' in command));
  expect(new Set(commands.map(({ type }) => type)).size).toBe(3);
  expect(commands.flatMap((command) => problemsOfEvent(command))).toEqual([]);
});
