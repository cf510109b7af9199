import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { LogEvent } from '@reins/store';
import { until } from '@reins/testing';
import { serverSent, TestGateway } from '../testing/test-gateway.ts';

/** More than the buffers of the operating system and the limit of the gateway hold together. */
const DELTAS = 600;
const DELTA = 'x'.repeat(64 * 1024);
const PAST_EVENTS = 400;
const PAST_TEXT = 'y'.repeat(48 * 1024);

let api: TestGateway;
beforeAll(async () => {
  api = await TestGateway.start();
});
afterAll(() => api.stop());

type Accepted = Record<'requestId' | 'sessionId' | 'workspaceId', string>;

const headOf = ({ requestId, sessionId, workspaceId }: Accepted) => ({
  requestId,
  sessionId,
  workspaceId,
  agentId: 'main',
});

async function accepted(): Promise<Accepted> {
  return (await api.submit()).body as Accepted;
}

const open = (requestId: string): Promise<Response> =>
  api.fetch(`/api/v1/requests/${requestId}/events`, { headers: { accept: 'text/event-stream' } });

/** The number of clients that the gateway sends events to. */
async function streams(): Promise<number> {
  const metrics = await (await api.fetch('/metrics')).text();
  return Number(/^reins_gateway_streams\{.*\} (\d+)$/m.exec(metrics)?.[1]);
}

async function publishDeltas(about: Accepted, count = DELTAS): Promise<void> {
  const event = { adapter: 'pi', phase: 'agent.output.delta', text: DELTA };
  const body = { type: 'runtime.adapter.event', ...headOf(about), event, stage: 'execute', effectId: 'e5', attempt: 1 };
  const data = JSON.stringify(body);
  const subject = `agent.output.delta.${about.workspaceId}.${about.requestId}`;
  for (let sent = 0; sent < count; sent += 1) await api.bus.js.publish(subject, data);
}

/** Past events of a run, which has not ended. */
const pastEvents = (about: Accepted): LogEvent[] =>
  Array.from({ length: PAST_EVENTS }, (_, index) => {
    const type = 'runtime.progress.narration';
    const body = { type, ...headOf(about), text: PAST_TEXT } as never;
    const subject = `${type}.${about.workspaceId}.${about.requestId}`;
    return { id: `${about.requestId}.${index}`, seq: 0, subject, source: 'test', time: new Date().toISOString(), body };
  });

test.each([
  ['follows a run', async () => {}],
  ['still gets the past events of a run', (about: Accepted) => api.publishEvents(pastEvents(about))],
])(
  'a client that does not read while it %s is disconnected at once, and what is buffered is dropped',
  async (_, before) => {
    const about = await accepted();
    await before(about);
    const response = await open(about.requestId);
    await until(async () => (await streams()) === 1);
    await publishDeltas(about);
    await until(async () => (await streams()) === 0);
    await expect(response.text()).rejects.toThrow('terminated');
  },
);

test('a client that reads gets all past events, and then the new ones', async () => {
  const about = await accepted();
  await api.publishEvents(pastEvents(about));
  const events = serverSent(await open(about.requestId));
  for (let count = 0; count < PAST_EVENTS; count += 1)
    expect((await events.next()).value?.event).toBe('runtime.progress.narration');
  await publishDeltas(about, 1);
  expect((await events.next()).value?.event).toBe('agent.output.delta');
});
