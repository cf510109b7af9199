import { once } from 'node:events';
import { createServer, request as requestHttp, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
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
