import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '@reins/testing';
import { type ApiResult, TestGateway } from './testing/test-gateway.ts';

const WORKSPACE = { workspaceId: 'other', files: [{ path: 'AGENTS.md', content: 'Be brief.' }] };
const REQUEST = { workspace: { id: 'quickstart' }, input: 'hello' };

let api: TestGateway;
beforeAll(async () => {
  api = await TestGateway.start();
  await api.submit();
});
afterAll(() => api.stop());

/** Limits a stream to what it has, or lifts the limit. */
async function limit(stream: string, isLimited: boolean): Promise<void> {
  const { state } = await api.bus.jsm.streams.info(stream);
  await api.bus.jsm.streams.update(stream, { max_bytes: isLimited ? state.bytes + 1 : -1 });
}

/** Submits a request. @returns the response, and how many commands were stored */
async function submit(headers: Record<string, string> = {}): Promise<ApiResult & { readonly stored: number }> {
  const before = (await api.commands()).length;
  const result = await api.post('/requests', REQUEST, headers);
  return { ...result, stored: (await api.commands()).length - before };
}

async function postBytes(path: string): Promise<number> {
  const octets = { method: 'POST', headers: { 'content-type': 'application/octet-stream' }, body: 'bytes' };
  return (await api.fetch(`/api/v1${path}`, octets)).status;
}

/** The ways to store bytes for later requests. Each returns the status of its response. */
const UPLOADS: readonly (() => Promise<number>)[] = [
  () => postBytes('/blobs'),
  () => postBytes('/attachments?name=a.txt'),
  async () => (await api.post('/workspaces', WORKSPACE)).status,
];

/** Submits until the response has this status. */
const submitUntil = (status: number) =>
  until(async () => {
    const result = await submit();
    if (result.status === 503) expect(result.stored).toBe(0);
    return result.status === status && result;
  });

test.each(['EVENTS', 'JOURNAL', 'INBOX'])(
  'while %s is full, requests get 503 and no command is stored, and later requests are accepted',
  async (stream) => {
    if (stream === 'JOURNAL') await api.bus.js.publish('journal.0.ws.r', '{}');
    if (stream === 'EVENTS') await api.publishRun((await api.submit()).body, 0, 1);
    await limit(stream, true);
    const { body, headers } = await submitUntil(503);
    for (const upload of UPLOADS) expect(await upload()).toBe(503);
    expect(body).toMatchObject({ code: 'service_unavailable', detail: expect.stringContaining(`stream ${stream}`) });
    expect(headers.get('retry-after')).toMatch(/^\d+$/);
    await limit(stream, false);
    await submitUntil(202);
    for (const upload of UPLOADS) expect(await upload()).toBe(201);
  },
);

test('a request whose idempotency key cannot be stored gets 503, and the repeated call is accepted once', async () => {
  const key = { 'idempotency-key': 'again' };
  await limit('KV_requests', true);
  expect(await submit(key)).toMatchObject({ status: 503, stored: 0 });
  await limit('KV_requests', false);
  const accepted = await submit(key);
  expect(accepted).toMatchObject({ status: 202, stored: 1 });
  expect(await submit(key)).toMatchObject({ body: { requestId: accepted.body.requestId } });
});
