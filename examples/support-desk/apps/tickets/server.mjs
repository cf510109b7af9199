/** The ticket application: a health endpoint, and MCP over HTTP (JSON-RPC). Needs only Node. */
import { createServer } from 'node:http';

const TICKETS = [
  { id: 'T-1', customer: 'Ada', order: 'A-1001', text: 'Where is my order?', status: 'open' },
  { id: 'T-2', customer: 'Grace', order: 'A-1002', text: 'May I send it back?', status: 'open' },
];
const MAX_BODY = 1024 * 1024;

const TOOLS = {
  list: {
    description: 'All open tickets.',
    inputSchema: { type: 'object', properties: {} },
    annotations: { readOnlyHint: true },
    run: () => TICKETS.filter(({ status }) => status === 'open'),
  },
  close: {
    description: 'Closes a ticket.',
    inputSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
    annotations: { readOnlyHint: false },
    run({ id }) {
      const ticket = TICKETS.find((each) => each.id === id);
      if (!ticket) throw new Error(`there is no ticket ${id}`);
      ticket.status = 'closed';
      return ticket;
    },
  },
};

const METHODS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'tickets', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: Object.entries(TOOLS).map(([name, { run, ...tool }]) => ({ name, ...tool })) }),
  'tools/call'({ name, arguments: args = {} }) {
    if (!Object.hasOwn(TOOLS, name)) return failed(`there is no tool ${name}`);
    try {
      return { content: [{ type: 'text', text: JSON.stringify(TOOLS[name].run(args)) }] };
    } catch (error) {
      return failed(error.message);
    }
  },
};

const failed = (text) => ({ content: [{ type: 'text', text }], isError: true });

/** The response to one message; undefined for a notification. */
function answer({ id, method, params = {} }) {
  if (id === undefined) return undefined;
  if (Object.hasOwn(METHODS, method)) return { jsonrpc: '2.0', id, result: METHODS[method](params) };
  return { jsonrpc: '2.0', id, error: { code: -32601, message: `no method ${method}` } };
}

async function bodyOf(request) {
  let body = '';
  for await (const chunk of request) {
    body += chunk;
    if (body.length > MAX_BODY) throw new Error('the body is too large');
  }
  return JSON.parse(body);
}

const server = createServer(async (request, response) => {
  const send = (status, value) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(value === undefined ? undefined : JSON.stringify(value));
  };
  if (request.method === 'GET' && request.url === '/health') return send(200, { ok: true });
  if (request.url !== '/mcp') return send(404);
  if (request.method !== 'POST') return send(405);
  try {
    const message = answer(await bodyOf(request));
    send(message ? 200 : 202, message);
  } catch (error) {
    send(400, { jsonrpc: '2.0', id: null, error: { code: -32700, message: error.message } });
  }
});
server.listen(Number(process.env.MCP_PORT ?? 3099), 'localhost');
process.once('SIGTERM', () => server.close(() => process.exit(0)));
