import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { headers } from '@nats-io/nats-core';
import { openTrees } from '@reins/service-kit';
import { treeFromEntries } from '@reins/workspace-tree';
import { TestGateway } from '../testing/test-gateway.ts';

let api: TestGateway;
beforeAll(async () => {
  api = await TestGateway.start((settings) => {
    settings.gateway.maxBodyBytes = 100_000;
    settings.gateway.maxOpenRequests = 3;
  });
});
afterAll(() => api.stop());

const files = [
  { path: 'AGENTS.md', content: 'Be kind.' },
  { path: 'bin/run', content: Buffer.from('#!/bin/sh\n').toString('base64'), encoding: 'base64', mode: '755' },
];

describe('a workspace', () => {
  test('has a revision that depends only on its content', async () => {
    const first = await api.post('/workspaces', { workspaceId: 'w', files });
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({ workspaceId: 'w', files: 2, bytes: 18, uploadedFiles: 2 });
    const again = await api.post('/workspaces', { workspaceId: 'w2', files: [...files].reverse() });
    expect(again.body).toMatchObject({ revision: first.body.revision, uploadedFiles: 0 });
  });

  test('with invalid files is refused with all problems', async () => {
    const refused = await api.post('/workspaces', {
      workspaceId: 'w',
      files: [{ path: 1, content: 'x' }, { path: 'a', content: 'x', encoding: 'rot13', mode: '777', size: 3 }, null],
    });
    expect(refused.status).toBe(400);
    expect((refused.body.errors as { path: string }[]).map(({ path }) => path)).toEqual([
      'files[0].path',
      'files[1].encoding',
      'files[1].mode',
      'files[1].size',
      'files[2]',
    ]);
    const outside = await api.post('/workspaces', {
      workspaceId: 'w',
      files: [{ path: '../etc/passwd', content: '' }],
    });
    expect([outside.status, outside.body.code]).toEqual([400, 'tree_path_refused']);
  });

  test('that exceeds the body limit is refused', async () => {
    const large = await api.post('/workspaces', {
      workspaceId: 'w',
      files: [{ path: 'a', content: 'x'.repeat(200_000) }],
    });
    expect([large.status, large.body.code]).toEqual([413, 'payload_too_large']);
  });
});

test('the files of a request and of a stage, and their changes', async () => {
  const accepted = (await api.submit()).body;
  const after = treeFromEntries([
    { path: 'AGENTS.md', content: 'Be kinder.' },
    { path: 'new.txt', content: 'new' },
  ]);
  await (await openTrees(api.bus)).put(after);
  const { requestId, sessionId, workspaceId, revision } = accepted as Record<string, string>;
  const head = { requestId, sessionId, workspaceId, agentId: 'main' };
  const completed = { effectId: 'e1', stage: 'execute', runtimeId: 'pi', attempt: 1, output: null, tree: after.treeId };
  await publishEvent(accepted, 'runtime.plan.requested', { ...head, effectId: 'e0', attempt: 1, revision }, 'a');
  expect((await api.get(`/requests/${requestId}/tree`)).body.tree).toBe(revision);
  expect((await api.get(`/requests/${requestId}/tree?stage=execute`)).status).toBe(404);
  await publishEvent(accepted, 'runtime.stage.completed', { ...head, ...completed }, 'b');

  expect((await api.get(`/requests/${requestId}/tree?stage=execute`)).body).toMatchObject({
    tree: after.treeId,
    files: [
      { path: 'AGENTS.md', mode: '644', size: 10 },
      { path: 'new.txt', mode: '644', size: 3 },
    ],
  });
  expect((await api.get(`/requests/${requestId}/changes`)).body).toEqual({
    from: revision,
    to: after.treeId,
    files: [
      { path: 'AGENTS.md', change: 'modified' },
      { path: 'new.txt', change: 'added' },
    ],
  });
  const content = await api.fetch(`/api/v1/trees/${after.treeId}/content?path=new.txt`);
  expect([content.status, await content.text(), content.headers.get('cache-control')]).toEqual([
    200,
    'new',
    expect.stringContaining('immutable'),
  ]);
  expect((await api.get(`/trees/${after.treeId}/content?path=nothing`)).body.code).toBe('tree_not_found');
  expect((await api.get(`/trees/${'9'.repeat(64)}`)).status).toBe(404);
  expect((await api.get('/trees/nonsense')).status).toBe(404);
});

test('the changes of a later request of a session start from the tree of the session', async () => {
  const accepted = (await api.submit()).body;
  const { requestId, sessionId, workspaceId, revision } = accepted as Record<string, string>;
  const kinder = { path: 'AGENTS.md', content: 'Be kinder.' };
  const before = treeFromEntries([kinder]);
  const after = treeFromEntries([kinder, { path: 'later.txt', content: 'later' }]);
  const trees = await openTrees(api.bus);
  await Promise.all([trees.put(before), trees.put(after)]);
  const head = { requestId, sessionId, workspaceId, agentId: 'main' };
  const run = { ...head, effectId: 'e1', stage: 'execute', runtimeId: 'pi', attempt: 1 };
  const deadline = '2030-01-01T00:00:00.000Z';
  await publishEvent(accepted, 'runtime.plan.requested', { ...head, effectId: 'e0', attempt: 1, revision }, 'a');
  await publishEvent(
    accepted,
    'runtime.stage.requested',
    {
      ...run,
      tree: before.treeId,
      deadline,
      hostRequestRef: { sha256: before.treeId, size: 1 },
      limits: { startWithinMs: 1, runForMs: 1, maxAttempts: 1, onUnknown: 'fail' },
    },
    'b',
    '.pi',
  );
  const unchanged = { from: before.treeId, to: before.treeId, files: [] };
  expect((await api.get(`/requests/${requestId}/changes`)).body).toEqual(unchanged);
  await publishEvent(accepted, 'runtime.stage.completed', { ...run, output: null, tree: after.treeId }, 'c');
  const files = [{ path: 'later.txt', change: 'added' }];
  const changes = { from: before.treeId, to: after.treeId, files };
  expect((await api.get(`/requests/${requestId}/changes`)).body).toEqual(changes);
});

test('bytes are stored once and found by their hash', async () => {
  const octets = { method: 'POST', headers: { 'content-type': 'application/octet-stream' }, body: 'bytes' };
  const { sha256, size } = (await (await api.fetch('/api/v1/blobs', octets)).json()) as {
    sha256: string;
    size: number;
  };
  expect(size).toBe(5);
  expect(await (await api.fetch(`/api/v1/blobs/${sha256}`)).text()).toBe('bytes');
  for (const unknown of ['0'.repeat(64), 'nonsense'])
    expect((await api.get(`/blobs/${unknown}`)).body.code).toBe('blob_not_found');
});

test('refuses requests over the limit with Retry-After, until one ends', async () => {
  let last = await api.submit();
  while (last.status === 202) last = await api.submit();
  expect([last.status, last.body.code, last.headers.get('retry-after')]).toEqual([429, 'admission_limited', '2']);
  const [open] = (await api.commands()).slice(-1);
  await api.publishRun(open as unknown as Record<string, unknown>);
  const until = Date.now() + 60_000;
  while ((await api.submit()).status !== 202) expect(Date.now()).toBeLessThan(until);
});

test('forgets open requests when the log is replaced, because their ends would be missed', async () => {
  while ((await api.submit()).status === 202);
  await api.replaceLog();
  const until = Date.now() + 100_000;
  while ((await api.submit()).status !== 202) expect(Date.now()).toBeLessThan(until);
});

/** Publishes one event of a request. */
async function publishEvent(accepted: object, type: string, body: object, id: string, rest = ''): Promise<void> {
  const { requestId, workspaceId } = accepted as Record<string, string>;
  const named = headers();
  named.set('ce-id', `${requestId}.${id}`);
  const subject = `${type}.${workspaceId}.${requestId}${rest}`;
  await api.bus.js.publish(subject, JSON.stringify({ type, ...body }), { headers: named });
}
