// A small application: an MCP server over HTTP beside a health check, on the port that it is given.
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';

const tool = { name: 'count', description: 'Counts.', inputSchema: { type: 'object', properties: {} } };
let count = 0;

function answer({ method, params }) {
  if (method === 'initialize')
    return {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'counter', version: '1' },
    };
  if (method === 'tools/list') return { tools: [tool] };
  count += 1;
  const text = `${readFileSync('prepared.txt', 'utf8').trim()} ${count} with ${process.env.API_TOKEN}`;
  return { content: [{ type: 'text', text }] };
}

createServer(async (request, response) => {
  if (request.url === '/mcp/health') return void response.end('ok');
  if (request.method !== 'POST') return void response.writeHead(405).end();
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const message = JSON.parse(Buffer.concat(chunks).toString());
  if (message.id === undefined) return void response.writeHead(202).end();
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: answer(message) }));
}).listen(Number(process.env.MCP_PORT), '127.0.0.1', () => writeFileSync('leftover.txt', 'of the application'));
