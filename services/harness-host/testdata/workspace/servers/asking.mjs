// A small MCP server that asks the user during a call, without a library: JSON-RPC in lines on stdin and stdout.
import { createInterface } from 'node:readline';

const TOOLS = [{ name: 'paint', description: 'Paints.', inputSchema: { type: 'object', properties: {} } }];
const SCHEMA = { type: 'object', properties: { colour: { type: 'string' } }, required: ['colour'] };
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
let call;

function handle({ id, method, params, result }) {
  if (method === 'initialize') {
    const serverInfo = { name: 'asking', version: '1' };
    send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } });
  } else if (method === 'tools/list') send({ id, result: { tools: TOOLS } });
  else if (method === 'tools/call') {
    call = id;
    const question = { mode: 'form', message: 'Which colour?', requestedSchema: SCHEMA };
    send({ id: 'question', method: 'elicitation/create', params: question });
  } else if (id === 'question') {
    const text = result.action === 'accept' ? `painted ${result.content.colour}` : 'not painted';
    send({ id: call, result: { content: [{ type: 'text', text }] } });
  }
}

for await (const line of createInterface({ input: process.stdin })) handle(JSON.parse(line));
