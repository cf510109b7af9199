// A small MCP server of a workspace, without a library: JSON-RPC in lines on stdin and stdout.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const object = { type: 'object', properties: {} };
const TOOLS = [
  { name: 'read', description: 'Reads note.txt.', inputSchema: object, annotations: { readOnlyHint: true } },
  { name: 'wipe', description: 'Wipes the notes.', inputSchema: object },
  { name: 'hidden', description: 'Is not for the run.', inputSchema: object },
];

function answer({ method, params }) {
  if (method === 'initialize')
    return {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'notes', version: '1' },
    };
  if (method === 'tools/list') return { tools: TOOLS };
  const text = `${readFileSync('note.txt', 'utf8').trim()} (as ${process.env.NOTES_KEY})`;
  return { content: [{ type: 'text', text }] };
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.id !== undefined)
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, result: answer(message) })}\n`);
}
