/** A small MCP server over stdin and stdout, with one JSON-RPC message per line. Needs only Node. */
import { createInterface } from 'node:readline';

/** Serves tools: name → {description, inputSchema, run}. Ends when stdin ends. */
export async function serve(name, tools) {
  const methods = {
    initialize: ({ protocolVersion }) => ({
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name, version: '1.0.0' },
    }),
    ping: () => ({}),
    'tools/list': () => ({
      tools: Object.entries(tools).map(([tool, { run, ...about }]) => ({ name: tool, ...about })),
    }),
    async 'tools/call'({ name: tool, arguments: args = {} }) {
      if (!Object.hasOwn(tools, tool)) return text(`there is no tool ${tool}`, true);
      try {
        return text(await tools[tool].run(args), false);
      } catch (error) {
        return text(error.message, true);
      }
    },
  };
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === '') continue;
    const { id, method, params = {} } = JSON.parse(line);
    if (id === undefined) continue; // A notification has no response.
    const answer = Object.hasOwn(methods, method)
      ? { result: await methods[method](params) }
      : { error: { code: -32601, message: `no method ${method}` } };
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
  }
}

const text = (value, isError) => ({
  content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }],
  ...(isError && { isError }),
});
