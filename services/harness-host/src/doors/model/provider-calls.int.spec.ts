import { once } from 'node:events';
import { createServer, type IncomingMessage, request as requestHttp, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from '@jest/globals';
import { ProviderCalls } from './provider-calls.ts';

const servers: Server[] = [];
afterEach(() => {
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

test('a client that does not read its answer gives its place to others', async () => {
  const large = Buffer.alloc(32 * 1024 * 1024);
  let calls = 0;
  const provider = await listen(
    createServer((_, response) => {
      calls += 1;
      response.end(calls === 1 ? large : '{}');
    }),
  );
  const forwarding = new ProviderCalls(() => ({ maxCalls: 1 }), undefined, { unreadMs: 50 });
  const ended: Promise<unknown>[] = [];
  const door = await listen(
    createServer((request, response) => {
      const target = { protocol: 'http:', hostname: '127.0.0.1', port: provider };
      const endpoint = { api: 'openai-completions', baseUrl: '', apiKey: '' } as const;
      const signal = new AbortController().signal;
      const parts = { provider: 'p', endpoint, target, path: '/', bytes: Buffer.from('{}'), recorder: undefined };
      ended.push(forwarding.forward({ ...parts, signal }, request, response).catch((error: Error) => error.message));
    }),
  );
  const ask = async () => {
    const sent = requestHttp({ port: door, host: '127.0.0.1', agent: false });
    sent.on('error', () => undefined).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return response.on('error', () => undefined);
  };
  const unread = await ask();
  expect(await ended[0]).toBe('the client has disconnected');
  unread.destroy();
  const read = await ask();
  expect([await text(read), await ended[1]]).toEqual(['{}', undefined]);
  forwarding.close();
});
