import { once } from 'node:events';
import { createServer, request as requestHttp, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, expect, jest, test } from '@jest/globals';
import { ProviderCalls } from './provider-calls.ts';

const servers: Server[] = [];
afterEach(() => {
  jest.useRealTimers();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function listen(server: Server): Promise<number> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

test('does not send a call whose client has disconnected already', async () => {
  let calls = 0;
  const provider = await listen(
    createServer((_, response) => {
      calls += 1;
      response.end('{}');
    }),
  );
  const forwarding = new ProviderCalls(() => ({ maxCalls: 1 }));
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const door = await listen(
    createServer((request, response) => {
      response.once('close', () => {
        const target = { protocol: 'http:', hostname: '127.0.0.1', port: provider };
        const endpoint = { api: 'openai-completions', baseUrl: '', apiKey: '' } as const;
        const signal = new AbortController().signal;
        const parts = { provider: 'p', endpoint, target, path: '/', bytes: Buffer.from('{}'), recorder: undefined };
        forwarding.forward({ ...parts, signal }, request, response).then(() => resolve('forwarded'), resolve);
      });
      response.destroy();
    }),
  );
  requestHttp({ port: door, host: '127.0.0.1' })
    .on('error', () => undefined)
    .end();
  expect(await promise).toMatchObject({ name: 'AbortError' });
  expect(calls).toBe(0);
  forwarding.close();
});

test('ends a call whose client does not read its answer, so that others get its place', async () => {
  // Only the timers of the project: sockets have their own.
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'clearImmediate', 'queueMicrotask', 'Date'] });
  const answer = Buffer.alloc(64 * 1024 * 1024, 'x');
  let calls = 0;
  const provider = await listen(
    createServer((_, response) => {
      calls += 1;
      response.end(calls === 1 ? answer : '{}');
    }),
  );
  const forwarding = new ProviderCalls(() => ({ maxCalls: 1 }));
  const outcomes: unknown[] = [];
  const door = await listen(
    createServer((request, response) => {
      const target = { protocol: 'http:', hostname: '127.0.0.1', port: provider };
      const endpoint = { api: 'openai-completions', baseUrl: '', apiKey: '' } as const;
      const parts = { provider: 'p', endpoint, target, path: '/', bytes: Buffer.from('{}'), recorder: undefined };
      forwarding
        .forward({ ...parts, signal: new AbortController().signal }, request, response)
        .then(() => outcomes.push('forwarded'))
        .catch(() => outcomes.push('ended'));
    }),
  );
  const client = connect(door, '127.0.0.1', () => client.write('POST / HTTP/1.1\r\nhost: door\r\n\r\n'));
  client.on('error', () => undefined).pause();
  for (let turn = 0; turn < 200_000 && outcomes.length === 0; turn += 1) {
    jest.advanceTimersByTime(1000);
    await nextTurn();
  }
  expect(outcomes).toEqual(['ended']);
  const second = requestHttp({ port: door, host: '127.0.0.1' }).end();
  await once(second, 'response');
  expect(calls).toBe(2);
  client.destroy();
  forwarding.close();
});
