import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { GatewayClient } from '../client/gateway-client.ts';
import { follow } from './follow.ts';

type Respond = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server | undefined;
afterEach(async () => {
  server?.closeAllConnections();
  await server?.[Symbol.asyncDispose]();
});

/** A gateway with scripted responses, the last one repeated. It records the `Last-Event-ID` of each request. */
async function gateway(...responses: readonly [Respond, ...Respond[]]) {
  const resumed: (string | undefined)[] = [];
  server = createServer((request, response) => {
    const respond = responses[Math.min(resumed.length, responses.length - 1)] ?? responses[0];
    resumed.push(request.headers['last-event-id'] as string | undefined);
    respond(request, response);
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { client: new GatewayClient({ url: `http://127.0.0.1:${port}`, apiKey: undefined }), resumed };
}

const event = (id: number, type: string): string => `id: ${id}\ndata: ${JSON.stringify({ type })}\n\n`;

/** An event stream that the server closes. */
const ends =
  (...events: readonly string[]): Respond =>
  (_, response) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(events.join(''));

/** An event stream whose connection breaks. */
const breaks =
  (...events: readonly string[]): Respond =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(events.join(''), () => response.destroy());
  };

const refuses =
  (status: number, code: string): Respond =>
  (_, response) =>
    response
      .writeHead(status, { 'content-type': 'application/problem+json' })
      .end(JSON.stringify({ code, message: 'no' }));

const STARTED = event(1, 'runtime.request.started');
const COMPLETED = event(2, 'runtime.request.completed');
const TYPES = ['runtime.request.started', 'runtime.request.completed'];

async function followed(client: GatewayClient): Promise<string[]> {
  const types: string[] = [];
  const events = follow(client, 'r1', new AbortController().signal, { tries: 3, pauseMs: 1 });
  for await (const { body } of events) types.push(String(body.type));
  return types;
}

describe('following a request', () => {
  test('starts again when the event log does not continue after the last event', async () => {
    const { client, resumed } = await gateway(breaks(STARTED), refuses(410, 'events_gone'), ends(STARTED, COMPLETED));
    expect(await followed(client)).toEqual(['runtime.request.started', ...TYPES]);
    expect(resumed).toEqual([undefined, '1', undefined]);
  });

  test('fails when the events have left the event log', async () => {
    const { client } = await gateway(refuses(410, 'events_gone'));
    await expect(followed(client)).rejects.toMatchObject({ code: 'events_gone' });
  });

  test('continues after the terminal event until the stream ends, because narrations follow', async () => {
    const directive = event(3, 'control.directive.emitted');
    const { client, resumed } = await gateway(
      ends(STARTED, COMPLETED, directive, event(4, 'runtime.progress.narration')),
    );
    expect(await followed(client)).toEqual([...TYPES, 'control.directive.emitted', 'runtime.progress.narration']);
    expect(resumed).toEqual([undefined]);
  });

  test('ends when the stream breaks after the terminal event', async () => {
    const { client, resumed } = await gateway(breaks(STARTED, COMPLETED));
    expect(await followed(client)).toEqual(TYPES);
    expect(resumed).toEqual([undefined]);
  });

  test.each([
    ['breaks', breaks(STARTED)],
    ['ends', ends(STARTED)],
  ])('resumes a stream that %s after its last event', async (_, first) => {
    const { client, resumed } = await gateway(first, ends(COMPLETED));
    expect(await followed(client)).toEqual(TYPES);
    expect(resumed).toEqual([undefined, '1']);
  });

  test('waits for a gateway that is briefly unavailable', async () => {
    const away = refuses(503, 'service_unavailable');
    const { client, resumed } = await gateway(away, away, ends(STARTED, COMPLETED));
    expect(await followed(client)).toEqual(TYPES);
    expect(resumed).toHaveLength(3);
  });

  test.each([
    [404, 'request_not_found'],
    [401, 'unauthorized'],
    [500, 'internal_error'],
  ])('does not retry after a %i', async (status, code) => {
    const { client, resumed } = await gateway(refuses(status, code));
    await expect(followed(client)).rejects.toMatchObject({ code });
    expect(resumed).toHaveLength(1);
  });

  test('does not retry an event that is not valid JSON', async () => {
    const { client, resumed } = await gateway(ends('id: 1\ndata: {\n\n'));
    await expect(followed(client)).rejects.toThrow(SyntaxError);
    expect(resumed).toHaveLength(1);
  });

  test.each([
    ['breaks', breaks(': nothing\n\n')],
    ['ends', ends(': nothing\n\n')],
    ['is refused', refuses(503, 'service_unavailable')],
  ])('fails when every stream %s without a new event', async (_, respond) => {
    const { client, resumed } = await gateway(respond);
    await expect(followed(client)).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(resumed).toHaveLength(3);
  });

  test('resets its retries after every event', async () => {
    const { client, resumed } = await gateway(ends(), ends(), ends(STARTED), ends(), ends(COMPLETED));
    expect(await followed(client)).toEqual(TYPES);
    expect(resumed).toHaveLength(5);
  });

  test('gives each event the time of its publication', async () => {
    const time = '2026-01-31T12:00:00.000Z';
    const { client } = await gateway(ends(`time: ${time}\n${STARTED}`, COMPLETED));
    const [first] = await Array.fromAsync(follow(client, 'r1', new AbortController().signal, { tries: 1, pauseMs: 1 }));
    expect(first).toEqual({ body: { type: 'runtime.request.started' }, at: new Date(time) });
  });
});
