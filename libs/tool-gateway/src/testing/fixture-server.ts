import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Server, type Tool } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

/**
 * An MCP server for tests: `node fixture-server.ts <mode>`. Modes: `well`; `hang` (no output), `garbage` (invalid
 * messages), `endless` (an endless line), `crash` (exits immediately), `once` (starts only once: it writes `started` to
 * its folder), `stubborn` (does not exit by itself), `late` (registers its first tool late), `second` (registers its first
 * tool after the first listing), `resources` (has resources),
 * `resources-named` (has resources, and one tool of its own: `list_resources`).
 */
const mode = process.argv[2] ?? 'well';
const started = performance.now();
const object = (properties: Record<string, { type: string }>, required: string[] = []) => ({
  type: 'object' as const,
  properties,
  required,
  additionalProperties: false,
});
const TOOLS: Tool[] = [
  {
    name: 'echo',
    description: 'Says it again.',
    inputSchema: object({ text: { type: 'string' } }, ['text']),
    annotations: { readOnlyHint: true },
  },
  { name: 'delete_all', description: 'Deletes.', inputSchema: object({}), annotations: { destructiveHint: true } },
  { name: 'secret', description: 'Returns the variable CANARY.', inputSchema: object({}) },
  { name: 'read_note', description: 'Reads note.txt of the working directory.', inputSchema: object({}) },
  { name: 'write_note', description: 'Writes note.txt.', inputSchema: object({ text: { type: 'string' } }) },
  { name: 'fail', description: 'Fails.', inputSchema: object({}) },
  { name: 'wait', description: 'Never answers.', inputSchema: object({}) },
  { name: 'tally', description: 'Counts the calls.', inputSchema: object({}) },
  { name: 'meta', description: 'Returns the _meta of the call.', inputSchema: object({}) },
  {
    name: 'surroundings',
    description: 'Lists the working directory and the names of variables.',
    inputSchema: object({}),
  },
  { name: 'elicit', description: 'Asks the user for a city.', inputSchema: object({}) },
  { name: 'die', description: 'Ends the server.', inputSchema: object({}) },
];

if (mode === 'hang' || mode === 'stubborn') process.on('SIGTERM', () => undefined);
if (mode === 'hang') setInterval(() => undefined, 1000);
else if (mode === 'garbage') setInterval(() => process.stdout.write('<html>hello</html>\n'), 1);
else if (mode === 'endless') setInterval(() => process.stdout.write('x'.repeat(1024 * 1024)), 1);
else if (mode === 'crash' || (mode === 'once' && existsSync('started'))) {
  process.stderr.write('the license file is missing\n');
  process.exitCode = 3;
} else await serve();

async function serve(): Promise<void> {
  process.stdout.write('Fixture server 1.0, welcome\n');
  if (mode === 'once') writeFileSync('started', '');
  const server = new Server(
    { name: 'fixture', version: '1' },
    {
      capabilities: { tools: {}, ...(mode.startsWith('resources') && { resources: {} }) },
    },
  );
  if (mode.startsWith('resources')) serveResources(server);
  server.setRequestHandler('tools/list', () => ({ tools: offered() }));
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: args = {}, _meta } }) => {
    if (name === 'die') process.exit(1);
    if (name === 'elicit') return elicit(server);
    if (name === 'wait') await sleep(3_600_000);
    return name === 'fail'
      ? { content: [{ type: 'text', text: 'it went wrong' }], isError: true }
      : { content: [{ type: 'text', text: answer(name, args, _meta) }] };
  });
  await server.connect(new StdioServerTransport());
  if (mode === 'stubborn') setInterval(() => undefined, 1000);
}

/** Two resources: a text, and an image. */
function serveResources(server: Server): void {
  const note = { uri: 'note://a', name: 'a', mimeType: 'text/plain', size: 5, description: 'x'.repeat(1000) };
  server.setRequestHandler('resources/list', () => ({
    resources: [note, ...Array.from({ length: 300 }, (_, nth) => ({ uri: `note://${nth}`, name: `${nth}` }))],
  }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{ uriTemplate: 'note://{id}', name: 'notes' }],
  }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    if (uri === 'note://image') return { contents: [{ uri, mimeType: 'image/png', blob: 'aGVsbG8=' }] };
    if (uri === 'note://large') return { contents: [{ uri, text: 'x'.repeat(1024 * 1024) }] };
    if (uri === 'note://a') return { contents: [{ uri, text: 'hello' }] };
    throw new Error(`no such resource: ${uri}`);
  });
}

/** Asks the user, and returns the answer. */
async function elicit(server: Server) {
  const properties = { city: { type: 'string' as const } };
  const requestedSchema = { type: 'object' as const, properties, required: ['city'] };
  const answer = await server.elicitInput({ mode: 'form', message: 'Which city?', requestedSchema });
  return { content: [{ type: 'text' as const, text: JSON.stringify(answer) }] };
}

let listings = 0;

function offered(): Tool[] {
  listings += 1;
  const late = (mode === 'late' && performance.now() - started < 600) || (mode === 'second' && listings === 1);
  if (mode === 'resources-named') return [{ name: 'list_resources', inputSchema: object({}) }];
  return late ? TOOLS.slice(1) : TOOLS;
}

let counted = 0;

function answer(name: string, args: Record<string, unknown>, meta: unknown): string {
  if (name === 'tally') {
    counted += 1;
    return String(counted);
  }
  if (name === 'meta') return JSON.stringify(meta ?? {});
  if (name === 'surroundings') return JSON.stringify([readdirSync('.'), Object.keys(process.env).sort()]);
  if (name === 'secret') return `the variable is ${process.env.CANARY ?? 'not set'}`;
  if (name === 'read_note') return readFileSync('note.txt', 'utf8');
  if (name === 'write_note') {
    writeFileSync('note.txt', String(args.text));
    return 'written';
  }
  return name === 'echo' ? `echo: ${String(args.text)}` : `did ${name}`;
}
