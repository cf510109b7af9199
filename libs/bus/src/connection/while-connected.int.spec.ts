import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isReinsError, isRetryable, problemOf } from '@reins/contracts';
import { deadLetter } from '../dead/dead-letter.ts';
import { openBucket } from '../kv/bucket.ts';
import { countHeldMessages } from '../partitions/held-messages.ts';
import { BusFixture, collect } from '../testing/fixture.ts';
import { FlakyLink } from '../testing/flaky-link.ts';
import { type Bus, connectBus } from './bus.ts';
import { whileConnected } from './while-connected.ts';

let fixture: BusFixture;
let bus: Bus;
beforeAll(async () => {
  fixture = await BusFixture.start();
  bus = await fixture.connect();
});
afterAll(() => fixture.stop());

/** The error code of a failed request, and whether it is retryable. */
async function failure(request: () => Promise<unknown>): Promise<[string, boolean]> {
  const { code } = problemOf(await whileConnected(bus, request).catch((error: unknown) => error));
  return [code, isRetryable(code)];
}

describe('a failed request', () => {
  it('is not retryable when it is too large', async () => {
    const bucket = await openBucket<string>(bus, 'sessions');
    expect(await failure(() => bucket.put('large', 'x'.repeat(1_100_000)))).toEqual(['bus_message_too_large', false]);
  });

  it('is not retryable when the client rejects it', async () => {
    expect(await failure(() => bus.nc.request('not a subject'))).toEqual(['bus_request_invalid', false]);
    expect(await failure(() => bus.nc.request('a', '', { timeout: -1 }))).toEqual(['bus_request_invalid', false]);
  });

  it('is retryable when there are no responders', async () => {
    expect(await failure(() => bus.nc.request('no.responders'))).toEqual(['bus_unavailable', true]);
  });
});

describe('a request without a response', () => {
  let connection: FlakyLink;
  let flaky: Bus;
  beforeAll(async () => {
    connection = await FlakyLink.start(fixture.nats.port);
    flaky = await connectBus({ servers: connection.url, name: 'flaky', requestTimeoutMs: 200 });
    connection.lose('requests');
  });
  afterAll(async () => {
    connection.cut();
    await flaky.close();
    connection.stop();
  });

  const letter = { subject: 'inbox.0.command.signal.ws.r', data: new Uint8Array(), seq: 1, deliveries: 1, msgId: 'm' };

  it.each<[string, () => Promise<unknown>]>([
    ['about a stream', () => flaky.jsm.streams.info('INBOX')],
    ['about a durable', () => flaky.jsm.consumers.info('EVENTS', 'any')],
    ['about all durables', () => collect(flaky.jsm.consumers.list('INBOX'))],
    ['for a message', () => flaky.jsm.direct.getMessage('EVENTS', { seq: 1 })],
    ['for the held messages of a run', () => countHeldMessages(flaky, { workspaceId: 'ws', runId: 'r' }, 4)],
    [
      'to store a dead letter',
      () =>
        deadLetter(
          flaky,
          { stream: 'INBOX', consumer: 'c' },
          { ...letter, headers: new Map() },
          {
            code: 'delivery_crashed',
            message: 'm',
          },
        ),
    ],
  ])('%s is retryable', async (_, request) => {
    const error = await request().catch((thrown: unknown) => thrown);
    expect(isReinsError(error) && [error.code, isRetryable(error.code)]).toEqual(['bus_unavailable', true]);
  });
});
