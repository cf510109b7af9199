import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import type { McpEndpoint } from '../contract.ts';
import { QUESTION_FIELD } from '../tools/question.ts';

const TOOL = {
  name: 'mcp__fixture__echo',
  description: 'Says it again.',
  inputSchema: { type: 'object' as const, properties: { text: { type: 'string' } }, required: ['text'] },
};
const ASK = {
  name: 'question',
  description: 'Asks the user.',
  inputSchema: { type: 'object' as const, properties: { question: { type: 'string' } }, required: ['question'] },
};
const TOKEN = 'Bearer canary-of-the-gateway';

/** Starts a real MCP server over HTTP that requires a token, with a tool that asks the user. */
export async function startToolFixture(): Promise<{ readonly endpoint: McpEndpoint; close(): void }> {
  const handler = createMcpHandler(() => {
    const server = new Server({ name: 'fixture', version: '1' }, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', () => ({ tools: [TOOL, ASK] }));
    server.setRequestHandler('tools/call', ({ params }) => {
      if (params.name === ASK.name)
        return {
          content: [{ type: 'text', text: 'The next message is the answer.' }],
          _meta: { [QUESTION_FIELD]: String(params.arguments?.question) },
        };
      const text = String(params.arguments?.text);
      return text === 'bad'
        ? { content: [{ type: 'text', text: 'no such text' }], isError: true }
        : { content: [{ type: 'text', text: `echo: ${text}` }] };
    });
    return server;
  });
  const http = createServer(async (request, response) => {
    if (request.headers.authorization !== TOKEN) {
      response.writeHead(401).end();
      return;
    }
    const { method = 'GET' } = request;
    const headers = new Headers(request.headers as Record<string, string>);
    const body = method === 'POST' ? { body: Readable.toWeb(request) as never, duplex: 'half' as const } : {};
    const answer = await handler.fetch(new Request('http://127.0.0.1/mcp', { method, headers, ...body }));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body) await pipeline(Readable.fromWeb(answer.body as never), response).catch(() => undefined);
    else response.end();
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  return {
    endpoint: {
      serverId: 'reins',
      url,
      headers: { authorization: TOKEN },
      tools: [TOOL, ASK].map(({ name, description, inputSchema }) => ({ name, description, parameters: inputSchema })),
    },
    close: () => {
      http.close();
      http.closeAllConnections();
    },
  };
}
