import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CallToolResult, Server, type Tool } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { CallOutput } from './call-output.ts';
import type { CatalogEntry } from './catalog.ts';
import { loadFailuresMeta, type ToolLoadFailure } from './load-failures.ts';
import { printedMeta } from './printed-meta.ts';
import { thrownText } from './thrown-text.ts';
import { type ToolFunction, ToolModules } from './tool-modules.ts';

/**
 * Serves a workspace's own tools as an MCP server on stdin and stdout: `main.js <catalog file> <workspace folder>
 * <load timeout in ms>`. It is a separate process, so that a tool cannot affect the host.
 */
const [, , catalogFile = '', workspaceDir = '', loadMs = ''] = process.argv;
const catalog = JSON.parse(readFileSync(catalogFile, 'utf8')) as readonly CatalogEntry[];
const protocolOutput = protocolStream();
const output = new CallOutput();
const modules = new ToolModules(workspaceDir, homedir());

const server = new Server({ name: 'workspace', version: '1' }, { capabilities: { tools: {} } });
server.setRequestHandler('tools/list', async () => {
  const found = await Promise.all(catalog.map(toolOf));
  const tools = found.filter((item) => 'name' in item);
  return { tools, _meta: loadFailuresMeta(found.filter((item) => 'reason' in item)) };
});
server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
  const entry = catalog.find(({ tool_name }) => tool_name === params.name);
  if (!entry) return failed(`unknown tool ${params.name}`);
  const progressToken = mcpReq._meta?.progressToken;
  const send = (message: string, progress: number): void => {
    if (progressToken === undefined) return;
    const params = { progressToken, progress, message };
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
  const { result, printed } = await output.during(send, async () => {
    try {
      const run = await modules.load(entry.module_path, entry.symbol_name);
      return resultOf(await run(params.arguments ?? {}, { signal: mcpReq.signal, workspaceDir }));
    } catch (error) {
      return failed(thrownText(error, { trees: [workspaceDir], homeDir: homedir() }));
    }
  });
  return { ...result, ...printedMeta(printed) };
});
await server.connect(new StdioServerTransport(process.stdin, protocolOutput));
process.stdin.once('end', () => process.exit(0));

/** The stream for protocol messages. `CallOutput` redirects everything else that is written to stdout. */
function protocolStream(): Writable {
  const write = process.stdout.write.bind(process.stdout);
  return new Writable({ write: (chunk: Buffer, _encoding, done) => void write(chunk, (error) => done(error)) });
}

/** Returns the declaration of a tool, or the reason why it could not be loaded. */
async function toolOf(entry: CatalogEntry): Promise<Tool | ToolLoadFailure> {
  try {
    return declarationOf(entry.tool_name, await loadWithTimeout(entry));
  } catch (error) {
    return { toolId: entry.tool_id, reason: error instanceof Error ? error.message : String(error) };
  }
}

/** Loads a tool with a timeout: a module whose top-level await never settles must not block the others. */
async function loadWithTimeout({ module_path, symbol_name }: CatalogEntry): Promise<ToolFunction> {
  const loaded = new AbortController();
  const timeout = sleep(Number(loadMs), undefined, { signal: loaded.signal }).then(() => {
    throw new Error(`${module_path} was not loaded within ${loadMs} ms`);
  });
  try {
    return await Promise.race([modules.load(module_path, symbol_name), timeout]);
  } finally {
    loaded.abort();
  }
}

function declarationOf(name: string, { description, inputSchema, annotations }: ToolFunction): Tool {
  const schema = isMapping(inputSchema) ? inputSchema : {};
  return {
    name,
    ...(typeof description === 'string' && { description }),
    inputSchema: { ...schema, type: 'object' },
    ...(isMapping(annotations) && { annotations }),
  };
}

function resultOf(value: unknown): CallToolResult {
  if (isMapping(value) && Array.isArray(value.content)) return value as unknown as CallToolResult;
  const text = typeof value === 'string' ? value : (JSON.stringify(value ?? null) ?? String(value));
  return { content: [{ type: 'text', text }] };
}

function failed(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
