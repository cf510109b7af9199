import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect as connectTcp } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { ReinsError } from '@reins/contracts';
import type { McpServerPayload } from '@reins/runtime-config';
import { call, endAll, newContext, start } from '../testing/services-fixture.ts';

import type { Connect } from './socket-fetch.ts';

const servers: { close(): void; closeAllConnections(): void }[] = [];
afterEach(async () => {
  expect(await endAll()).toEqual([]);
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

async function serve(handler: Handler): Promise<string> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    handler(request, response, body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const remote = (name: string, url: string, timeout = 30_000): McpServerPayload => ({
  name,
  config: { type: 'remote', enabled: true, url, headers: { 'x-key': 'canary-key' }, timeout },
});

/** The response of a minimal server to a message; undefined for a notification. */
function answerTo(body: string): string | undefined {
  const { id, method, params } = JSON.parse(body);
  if (id === undefined) return undefined;
  const results: Record<string, unknown> = {
    initialize: {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'far', version: '1' },
    },
    'tools/list': { tools: [{ name: 'hi', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [{ type: 'text', text: 'hi from far' }] },
  };
  return JSON.stringify({ jsonrpc: '2.0', id, result: results[method] });
}

const plain: Handler = (request, response, body) => {
  if (request.headers['x-key'] !== 'canary-key') return void response.writeHead(401).end('who are you?');
  if (request.method !== 'POST') return void response.writeHead(405).end();
  const answer = answerTo(body);
  if (answer === undefined) return void response.writeHead(202).end();
  response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
};

/** A server with the older SSE transport: responses come on an event stream, messages are posted to another URL. */
function olderServer(): Handler {
  let stream: ServerResponse | undefined;
  return (request, response, body) => {
    if (request.headers['x-key'] !== 'canary-key') return void response.writeHead(401).end();
    if (request.method === 'GET') {
      stream = response.writeHead(200, { 'content-type': 'text/event-stream' });
      return void stream.write('event: endpoint\ndata: /messages\n\n');
    }
    if (request.url !== '/messages') return void response.writeHead(405).end();
    response.writeHead(202).end();
    const answer = answerTo(body);
    if (answer !== undefined) stream?.write(`event: message\ndata: ${answer}\n\n`);
  };
}

/** A server that speaks only the newest revision of the protocol. */
function newestServer(): Handler {
  const serving = createMcpHandler(
    () => {
      const server = new Server({ name: 'newest', version: '1' }, { capabilities: { tools: {} } });
      server.setRequestHandler('tools/list', () => ({ tools: [{ name: 'hi', inputSchema: { type: 'object' } }] }));
      server.setRequestHandler('tools/call', () => ({ content: [{ type: 'text', text: 'hi from newest' }] }));
      return server;
    },
    { legacy: 'reject' },
  );
  return async ({ method = '', headers }, response, body) => {
    const asked = new Request('http://localhost/', {
      method,
      headers: headers as Record<string, string>,
      body: body || null,
    });
    const { status, headers: given, ...answer } = await respond(serving.fetch(asked));
    response.writeHead(status, given).end(answer.text);
  };
}

async function respond(response: Promise<Response>) {
  const { status, headers } = await response;
  return { status, headers: Object.fromEntries(headers), text: await (await response).text() };
}

describe('a remote server', () => {
  test('is reached only by the connections that its host allows', async () => {
    const [allowed, refused] = [await serve(plain), await serve(plain)];
    const asked: string[] = [];
    const connect: Connect = async ({ host, port }) => {
      asked.push(`http://${host}:${port}`);
      if (asked.at(-1) !== allowed)
        throw new ReinsError({ code: 'mcp_server_failed', message: 'it may not be reached' });
      const socket = connectTcp(port, host);
      await once(socket, 'connect');
      return socket;
    };
    const servers = [remote('far', allowed), remote('farther', refused)];
    const services = await start({ mcp_servers: servers }, { ...(await newContext()), connect });
    expect(await call(services, 'mcp__far__hi')).toEqual({ text: 'hi from far', isError: false });
    const reason = expect.stringContaining('it may not be reached');
    expect(services.unavailable).toMatchObject([{ serverId: 'farther', reason }]);
    expect(new Set(asked)).toEqual(new Set([allowed, refused]));
  });

  test('may speak only the newest revision of the protocol', async () => {
    const services = await start({ mcp_servers: [remote('far', await serve(newestServer()))] });
    expect(services.unavailable).toEqual([]);
    expect(await call(services, 'mcp__far__hi')).toEqual({ text: 'hi from newest', isError: false });
  });

  test('is called with its headers over both transports, and redirects stay within its origin', async () => {
    const strangers: string[] = [];
    const [well, older] = await Promise.all([serve(plain), serve(olderServer())]);
    const stranger = await serve((request, response) => {
      strangers.push(JSON.stringify(request.headers));
      response.writeHead(200).end('{}');
    });
    const moves = await serve((request, response, body) => {
      if (request.url === '/mcp') response.writeHead(307, { location: '/mcp/' }).end();
      else plain(request, response, body);
    });
    const leads = await serve((_, response) => response.writeHead(307, { location: `${stranger}/mcp` }).end());
    const services = await start({
      mcp_servers: [
        remote('well', `${well}/mcp`),
        remote('older', `${older}/sse`),
        remote('moves', `${moves}/mcp`),
        remote('leads', `${leads}/mcp`),
        remote('nowhere', 'file:///etc/passwd'),
      ],
    });
    expect(services.unavailable.map(({ serverId }) => serverId)).toEqual(['leads', 'nowhere']);
    expect(strangers).toEqual([]);
    for (const name of ['well', 'older', 'moves'])
      expect(await call(services, `mcp__${name}__hi`)).toEqual({ text: 'hi from far', isError: false });
  });

  test('that rejects, sends garbage, floods or hangs is unavailable, and its key is not reported', async () => {
    const urls = await Promise.all([
      serve((_, response) => response.writeHead(401).end('no')),
      serve((_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('<html>')),
      serve((_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const flood = (): void => {
          while (!response.destroyed && response.write('x'.repeat(1024 * 1024)));
          response.once('drain', flood);
        };
        flood();
      }),
      serve(() => undefined),
    ]);
    const names = ['refuses', 'raves', 'floods', 'silent'];
    const services = await start({
      mcp_servers: urls.map((url, index) => remote(names[index] ?? '', `${url}/mcp`, 1500)),
    });
    expect(services.unavailable.map(({ serverId }) => serverId)).toEqual(names);
    expect(services.gateway).toBeUndefined();
    expect(JSON.stringify(services.unavailable)).not.toContain('canary-key');
  });
});
