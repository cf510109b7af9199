import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Bus, connectBus, countHeldMessages, lastMessageOn, openBucket, provision } from '@reins/bus';
import { type ApiKeyRecord, type HarnessOffer, type ParkedRun, parkedKeyOf, partitionOf } from '@reins/contracts';
import { controlBus } from '@reins/control-bus';
import { gateway } from '@reins/gateway';
import { type RunningService, type ServiceDefinition, Settings, startService } from '@reins/service-kit';
import { busIdentity } from '@reins/service-kit/nats-users';
import { provideNatsUsers } from '@reins/supervisor';
import { startNats, type TestNats, tempDir, until } from '@reins/testing';

const RUNTIME = 'pi';
const PARTITIONS = 2;
const SECRET = '5ec2e7';
const AUTHORIZATION = `Bearer rk_0a_${SECRET}`;

let nats: TestNats;
let operator: Bus;
let usersDir: string;
let api: RunningService;
let owner: RunningService;

beforeAll(async () => {
  const users = await provideNatsUsers(await tempDir('nats-permissions'), [RUNTIME]);
  usersDir = users.dir;
  nats = await startNats({ config: users.config });
  operator = await connectBus({ servers: nats.url, name: 'operator', ...busIdentity({ usersDir }, 'operator') });
  await provision(operator, { managed: 'self', partitions: PARTITIONS, replicas: 1, runtimeIds: [RUNTIME] });
  const hash = createHash('sha256').update(SECRET).digest('hex');
  const key: ApiKeyRecord = { id: '0a', name: 'test', hash, createdAt: new Date().toISOString() };
  await (await openBucket<ApiKeyRecord>(operator, 'keys')).put('0a', key);
  owner = await start(controlBus);
  api = await start(gateway);
  const offer = { runtimeId: RUNTIME, hostId: 'h1', version: '1', healthy: true, slots: 1, capabilities: [] };
  // A host counts as alive once it has renewed its offers.
  const offers = await openBucket<HarnessOffer>(operator, 'harnesses');
  for (const version of ['1', '2']) await offers.put(`h1.${RUNTIME}`, { ...offer, version });
});

afterAll(async () => {
  await api?.stop();
  await owner?.stop();
  await operator.close();
  await nats.stop();
});

/** Starts a service as its own NATS user. */
function start(definition: ServiceDefinition): Promise<RunningService> {
  const settings = new Settings();
  Object.assign(settings.nats, { url: nats.url, usersDir, managed: 'supervisor', partitions: PARTITIONS });
  settings.http.port = 0;
  settings.log.level = 'error';
  settings.runtimeProfile.default = RUNTIME;
  return startService(definition, settings);
}

async function post(path: string, body: object): Promise<{ status: number; body: Record<string, unknown> }> {
  const headers = { authorization: AUTHORIZATION, 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await fetch(`${api.url}/api/v1${path}`, init);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const submit = async (): Promise<string> => {
  await post('/workspaces', { workspaceId: 'ws', files: [{ path: 'AGENTS.md', content: 'Be kind.' }] });
  const { body, status } = await post('/requests', { workspace: { id: 'ws' }, sessionId: 's', input: 'Go.' });
  expect([status, body.code]).toEqual([202, undefined]);
  return String(body.requestId);
};

const hasFact = (type: string, requestId: string): Promise<boolean> =>
  lastMessageOn(operator, 'EVENTS', `runtime.request.${type}.ws.${requestId}`).then((found) => found !== undefined);

test('the owner and the gateway hold, count and release messages with the rights of their NATS users', async () => {
  const first = await submit();
  await until(() => hasFact('started', first));
  const second = await submit();
  const heldOf = () => countHeldMessages(operator, { workspaceId: 'ws', runId: second }, PARTITIONS);
  expect(await post(`/requests/${second}/signals`, { name: 'go' })).toMatchObject({ status: 202 });
  await until(async () => (await heldOf()) === 1);
  const parked = {
    requestId: second,
    workspaceId: 'ws',
    code: 'bus_stream_full',
    message: 'full',
    since: '',
    tries: 1,
  };
  const key = parkedKeyOf(partitionOf(second, PARTITIONS), { workspaceId: 'ws', runId: second });
  await (await openBucket<ParkedRun>(operator, 'positions')).put(key, parked);
  const shown = await fetch(`${api.url}/api/v1/requests/${second}`, { headers: { authorization: AUTHORIZATION } });
  expect(await shown.json()).toMatchObject({ parked: { code: 'bus_stream_full' } });
  // The next owner finds them.
  await owner.stop();
  owner = await start(controlBus);
  expect(await post(`/requests/${first}/cancel`, {})).toMatchObject({ status: 202 });
  await until(() => hasFact('started', second));
  await until(async () => (await heldOf()) === 0);
  expect(await post(`/requests/${second}/cancel`, {})).toMatchObject({ status: 202 });
  await until(() => hasFact('cancelled', second));
});
