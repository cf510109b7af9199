import type { ApplicationSpec } from '../applications/application.ts';

/** An application with an MCP server. Its tool `connect` reaches a port, and prints what comes back. */
export const APP = `
import { createServer } from 'node:http';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
const results = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'a', version: '1' } }),
  'tools/list': () => ({ tools: [{ name: 'env', inputSchema: { type: 'object' } }, { name: 'headers', inputSchema: { type: 'object' } }, { name: 'connect', inputSchema: { type: 'object' } }] }),
};
const exchange = (to) => new Promise((resolve) => {
  const client = connect(to, () => client.write('GET / HTTP/1.0\\r\\n\\r\\n'));
  client.on('data', (data) => resolve(String(data))).on('error', ({ code }) => resolve(code)).on('end', () => resolve('ended'));
});
const serve = async (request, response) => {
  if (request.url === '/up') return response.end('ok');
  if (request.url === '/away') return response.writeHead(302, { location: process.env.AWAY }).end();
  if (request.method !== 'POST') return response.writeHead(405).end();
  let text = '';
  for await (const chunk of request) text += chunk;
  const { id, method, params } = JSON.parse(text);
  if (id === undefined) return response.writeHead(202).end();
  const said = params?.name === 'env' ? process.env : params?.name === 'connect' ? await exchange(params.arguments) : request.headers;
  const result = results[method]?.(params) ?? { content: [{ type: 'text', text: JSON.stringify(said) }] };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
};
createServer(serve).listen(Number(process.env.MCP_PORT ?? process.argv[2]));
createServer((_, response) => response.end('ok')).listen(Number(process.env.PORT ?? 0));
process.on('SIGTERM', () => { writeFileSync(process.env.REINS_WORKSPACE_DIR + '/ended.txt', 'by SIGTERM'); process.exit(0); });
`;

export const app = (id: string, more: Partial<ApplicationSpec> = {}): ApplicationSpec => ({
  app_id: id,
  mcp: { transport: 'http-sse', port: 3099, path: '/mcp' },
  health_check: { target: 'mcp', path: '/up', timeout_s: 60, interval_s: 0.2 },
  env_contract: ['KNOWN', 'UNKNOWN'],
  start_command: `${process.execPath} app.mjs`,
  base_dir: 'apps/a',
  lifecycle: { setup: '', start: '', stop: '' },
  ...more,
});
