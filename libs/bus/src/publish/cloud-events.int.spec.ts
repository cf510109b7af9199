import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startNats, type TestNats } from '@reins/testing';
import { CloudEvent, HTTP } from 'cloudevents';
import { type Bus, connectBus } from '../connection/bus.ts';
import { provision } from '../topology/provision.ts';
import { OrderedPublisher } from './ordered-publisher.ts';

let nats: TestNats;
let bus: Bus;

beforeAll(async () => {
  nats = await startNats();
  bus = await connectBus({ servers: nats.url, name: 'test' });
  await provision(bus, { managed: 'self', partitions: 2, replicas: 1, runtimeIds: [] });
});

afterAll(async () => {
  await bus.close();
  await nats.stop();
});

test('the SDK of CloudEvents reads a message whole', async () => {
  const subject = 'runtime.stage.requested.ws.r1.pi';
  const received = Promise.withResolvers<{ headers: Record<string, string>; body: string }>();
  const subscription = bus.nc.subscribe(subject, {
    callback: (_, message) => {
      const headers = Object.fromEntries([...(message.headers ?? [])].map(([name, [value = '']]) => [name, value]));
      received.resolve({ headers, body: message.string() });
    },
  });
  await bus.nc.flush();
  const event = {
    id: 'r1.4',
    type: 'runtime.stage.requested',
    source: 'reins/control-bus',
    time: '2026-01-02T03:04:05.678Z',
    traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
    tracestate: 'vendor=1,other=2',
    causation: 'r1.3',
    version: 4,
    reply: 'inbox.1.$.ws.r1.e',
  };
  const body = { type: event.type, requestId: 'r1', stage: 'execute' };
  const publisher = new OrderedPublisher(bus);
  await publisher.publishAll([{ subject, data: new TextEncoder().encode(JSON.stringify(body)), headers: event }]);
  await publisher.close();
  const { headers, body: text } = await received.promise;
  subscription.unsubscribe();
  // The NATS binding names the content type as an attribute; the HTTP binding, which the SDK reads, as its own header.
  const read = HTTP.toEvent({ headers: { ...headers, 'content-type': headers['ce-datacontenttype'] }, body: text });
  expect(read).toBeInstanceOf(CloudEvent);
  const { time, ...attributes } = (read as CloudEvent).toJSON();
  expect(attributes).toEqual({
    specversion: '1.0',
    id: event.id,
    type: event.type,
    source: event.source,
    datacontenttype: 'application/json',
    traceparent: event.traceparent,
    tracestate: event.tracestate,
    causation: event.causation,
    version: '4',
    reply: event.reply,
    data: body,
  });
  expect(new Date(String(time)).toISOString()).toBe(event.time);
  expect(headers).toMatchObject({
    traceparent: event.traceparent,
    tracestate: event.tracestate,
    'reins-causation': event.causation,
    'reins-version': '4',
    'reins-reply': event.reply,
  });
});
