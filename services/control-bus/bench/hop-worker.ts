/**
 * The worker process of `npm run bench -- hop`. It answers plan requests like a service. It also answers the parent's
 * bare requests over the plain NATS client, with a sample answer that the parent sends first.
 */
import { connect } from '@nats-io/transport-node';
import { Blobs, connectBus, consume, EventPublisher, inline, OrderedPublisher } from '@reins/bus';
import { type EventOf, parseEvent } from '@reins/contracts';
import { sendAnswer } from '@reins/service-kit';
import { ACK, BareClient, type Sample } from './bare-client.ts';

const [url = '', bareDurable = ''] = process.argv.slice(2);
const PLAN = {
  planRef: { sha256: 'b'.repeat(64), size: 1000 },
  configChecksum: 'c'.repeat(64),
  inputsChecksum: 'd'.repeat(64),
  diagnostics: [],
};
const bus = await connectBus({ servers: url, name: 'hop-worker' });
const blobs = await Blobs.open(bus);
const events = new EventPublisher({ publisher: new OrderedPublisher(bus), blobs, source: bus.name });
await consume(bus, {
  stream: 'EVENTS',
  durable: 'runtime-plan-requested',
  concurrency: 512,
  handler: async (message) => {
    const request = parseEvent(await inline(blobs, message.data)) as EventOf<'runtime.plan.requested'>;
    await sendAnswer(events, message, request, 'runtime.plan.compiled', PLAN);
  },
});

const plain = await connect({ servers: url, noAsyncTraces: true });
const bare = new BareClient(plain);
process.once('message', ({ answer }: { readonly answer: Sample }) => {
  const sample = { headers: answer.headers, data: Buffer.from(answer.data) };
  bare.pull('EVENTS', bareDurable, (message) => {
    const [reply, id] = ['reins-reply', 'Nats-Msg-Id'].map((name) => message.headers?.get(name) ?? '');
    const own = { 'Nats-Msg-Id': `${id}.answer`, 'ce-id': `${id}.answer`, 'reins-causation': id as string };
    void bare.publish(reply as string, sample, own).then(() => message.respond(ACK));
  });
  process.send?.('ready');
});
process.once('disconnect', () => process.exit(0));
process.send?.('ready');
