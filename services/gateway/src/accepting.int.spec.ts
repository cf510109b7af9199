import { cp, rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { lastMessageOn } from '@reins/bus';
import { tempDir, until } from '@reins/testing';
import { CuttingLink } from './testing/cutting-link.ts';
import { TestGateway } from './testing/test-gateway.ts';

const STREAM = 'KV_requests';
const REQUEST = { workspace: { id: 'quickstart' }, input: 'hello' };

let link: CuttingLink;
let api: TestGateway;
beforeAll(async () => {
  api = await TestGateway.start(async ({ nats }) => {
    link = await CuttingLink.start(nats.url);
    nats.url = link.url;
  });
  await api.submit();
});
afterAll(async () => {
  await api.stop();
  link.stop();
});

const isRecorded = async (requestId: unknown): Promise<boolean> =>
  (await lastMessageOn(api.bus, STREAM, `$KV.requests.run.${requestId}`)) !== undefined;

const limitRecords = async (bytes: number): Promise<unknown> => {
  const { state } = await api.bus.jsm.streams.info(STREAM);
  return api.bus.jsm.streams.update(STREAM, { max_bytes: bytes < 0 ? bytes : state.bytes + bytes });
};

test('a request whose command is stored is accepted although its record cannot be stored, and the record follows', async () => {
  const before = (await api.commands()).length;
  await limitRecords(1);
  const accepted = await api.post('/requests', REQUEST);
  const id = accepted.body.requestId;
  expect(accepted.status).toBe(202);
  expect((await api.commands()).slice(before).map(({ requestId }) => requestId)).toEqual([id]);
  expect((await api.get(`/requests/${id}`)).body.status).toBe('accepted');
  expect(await isRecorded(id)).toBe(false);
  await limitRecords(-1);
  await until(() => isRecorded(id));
});

test('a request is accepted with its command and its idempotency key when NATS is restored before its record is stored', async () => {
  const copy = await tempDir('accepting');
  await api.nats.stop();
  await cp(api.nats.dir, copy, { recursive: true });
  await api.nats.restart();
  await until(async () => (await api.get('/requests')).status === 200 && api.bus.state === 'connected');
  const cut = link.cutAt('$KV.requests.run.');
  const submit = (): ReturnType<typeof api.post> => api.post('/requests', REQUEST, { 'idempotency-key': 'restored' });
  const accepting = until(async () => {
    const result = await submit();
    return result.status !== 503 && result;
  });
  await cut;
  await api.nats.stop();
  await rm(api.nats.dir, { recursive: true });
  await cp(copy, api.nats.dir, { recursive: true });
  await api.nats.restart();
  link.restore();
  const { status, body } = await accepting;
  expect(status).toBe(202);
  await until(() => api.bus.state === 'connected');
  expect((await api.commands()).map(({ requestId }) => requestId)).toContain(body.requestId);
  expect(await isRecorded(body.requestId)).toBe(true);
  const repeated = await until(async () => {
    const result = await submit();
    return result.status !== 503 && result;
  });
  expect(repeated.body.requestId).toBe(body.requestId);
});
