import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { lastMessageOn, OrderedPublisher } from '@reins/bus';
import { type AdapterEvent, parseEvent, type RuntimeStageRequested } from '@reins/contracts';
import { Redactor } from '../secrets/redactor.ts';
import { HostFixture } from '../testing/host-fixture.ts';
import { AdapterEventPublisher } from './signal-publisher.ts';

let fixture: HostFixture;
let publisher: OrderedPublisher;
beforeAll(async () => {
  fixture = await HostFixture.start();
  publisher = new OrderedPublisher(fixture.bus);
});
afterAll(async () => {
  await publisher.close();
  await fixture.stop();
});

const head = { sessionId: 's', agentId: 'a', workspaceId: 'w', stage: 'execute', effectId: 'e', attempt: 1 } as const;

const signals = (requestId: string) => {
  const redactor = new Redactor(['hush-hush']);
  const parts = { publisher, blobs: fixture.blobs, redactor, source: 'test', causation: `cause-${requestId}` };
  return new AdapterEventPublisher({ ...head, requestId } as unknown as RuntimeStageRequested, parts);
};

const stored = async (stream: string, subject: string) => {
  const message = await lastMessageOn(fixture.bus, stream, subject);
  return message && { id: message.msgId, data: message.data };
};

test('batches deltas, numbers all signals, and stores them before settled() resolves', async () => {
  const run = signals('r1');
  for (const text of ['one ', 'two ', 'hush-', 'hush']) run.accept({ adapter: 'x', phase: 'agent.output.delta', text });
  run.accept({ adapter: 'x', phase: 'agent.tool.start', toolId: 't', callId: 'c', args: { key: 'hush-hush' } });
  await run.settled();
  const delta = await stored('DELTAS', 'agent.output.delta.w.r1');
  expect(delta && parseEvent(delta.data)).toMatchObject({ seq: 1, event: { text: 'one two [redacted]' } });
  const call = await stored('EVENTS', 'agent.tool.start.w.r1');
  expect(call && parseEvent(call.data)).toMatchObject({ seq: 2, event: { args: { key: '[redacted]' } } });
});

test('publishes a large signal by reference and in order', async () => {
  const run = signals('r2');
  const output = 'x'.repeat(100_000);
  run.accept({ adapter: 'x', phase: 'agent.tool.result', toolId: 't', callId: 'c', output, error: null });
  run.accept({ adapter: 'x', phase: 'agent.tool.start', toolId: 't', callId: 'd', args: {} });
  await run.settled();
  const large = await lastMessageOn(fixture.bus, 'EVENTS', 'agent.tool.result.w.r2');
  const next = await lastMessageOn(fixture.bus, 'EVENTS', 'agent.tool.start.w.r2');
  expect(large?.data.length).toBeLessThan(200);
  expect((next?.seq ?? 0) - (large?.seq ?? 0)).toBe(1);
});

test('publishes signals with the phase of a fact only as adapter events', async () => {
  const run = signals('r3');
  run.accept({ adapter: 'x', phase: 'runtime.request.completed' } as AdapterEvent);
  run.accept({ adapter: 'x', traceType: 'plan', detail: { steps: [] } });
  await run.settled();
  expect(await stored('EVENTS', 'runtime.request.completed.w.r3')).toBeUndefined();
  const envelope = await stored('EVENTS', 'runtime.adapter.event.w.r3');
  expect(envelope && parseEvent(envelope.data)).toMatchObject({ seq: 2, event: { traceType: 'plan' } });
});

test('an attempt that is executed again after a restore publishes signals with ids of their own', async () => {
  const ids: (string | undefined)[] = [];
  for (const callId of ['first', 'second']) {
    const run = signals('r4');
    run.accept({ adapter: 'x', phase: 'agent.tool.start', toolId: 't', callId, args: {} });
    await run.settled();
    const call = await stored('EVENTS', 'agent.tool.start.w.r4');
    expect(call && parseEvent(call.data)).toMatchObject({ seq: 1, event: { callId } });
    ids.push(call?.id);
  }
  expect(new Set(ids).size).toBe(2);
});
