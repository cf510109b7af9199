import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { inputRequired, Server, specTypeSchemas, type Tool } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

/**
 * An MCP server for tests: `node fixture-server.ts <mode>`. Modes: `well`; `hang` (no output), `garbage` (invalid
 * messages), `endless` (an endless line), `crash` (exits immediately), `once` (starts only once: it writes `started` to
 * its folder), `stubborn` (does not exit by itself), `late` (registers its first tool late), `second` (registers its first
 * tool after the first listing), `resources` (has resources),
 * `resources-named` (has resources, and one tool of its own: `list_resources`), `prompts` (has prompts), `newest` (speaks
 * only the newest revision of the protocol).
 */
const mode = process.argv[2] ?? 'well';
const started = performance.now();
const object = (properties: Record<string, { type: string }>, required: string[] = []) => ({
  type: 'object' as const,
  properties,
  required,
  additionalProperties: false,
});
const CITY = { type: 'object' as const, properties: { city: { type: 'string' as const } }, required: ['city'] };
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
  { name: 'elicit_twice', description: 'Asks the user for a city and a day.', inputSchema: object({}) },
  { name: 'elicit_url', description: 'Asks the user to open a page.', inputSchema: object({}) },
  { name: 'die', description: 'Ends the server.', inputSchema: object({}) },
];

if (mode === 'hang' || mode === 'stubborn') process.on('SIGTERM', () => undefined);
if (mode === 'hang') setInterval(() => undefined, 1000);
else if (mode === 'garbage') setInterval(() => process.stdout.write('<html>hello</html>\n'), 1);
else if (mode === 'endless') setInterval(() => process.stdout.write('x'.repeat(1024 * 1024)), 1);
else if (mode === 'crash' || (mode === 'once' && existsSync('started'))) {
  process.stderr.write('the license file is missing\n');
  process.exitCode = 3;
} else if (mode === 'newest') await serveNewest();
else await serve();

async function serve(): Promise<void> {
  process.stdout.write('Fixture server 1.0, welcome\n');
  if (mode === 'once') writeFileSync('started', '');
  const server = new Server(
    { name: 'fixture', version: '1' },
    {
      capabilities: {
        tools: {},
        ...(mode.startsWith('resources') && { resources: {} }),
        ...(mode === 'prompts' && { prompts: {} }),
      },
    },
  );
  if (mode.startsWith('resources')) serveResources(server);
  if (mode === 'prompts') servePrompts(server);
  server.setRequestHandler('tools/list', () => ({ tools: offered() }));
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: args = {}, _meta } }) => {
    if (name === 'die') process.exit(1);
    if (name === 'elicit') return elicit(server, 'Which city?');
    if (name === 'elicit_twice') {
      const city = await elicit(server, 'Which city?');
      return city.isError ? city : elicit(server, 'Which day?');
    }
    if (name === 'elicit_url') return elicitUrl(server);
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

/** Prompts with one argument each. The first one is long. */
function servePrompts(server: Server): void {
  const argument = { name: 'topic', description: 'x'.repeat(1000), required: true };
  server.setRequestHandler('prompts/list', () => ({
    prompts: Array.from({ length: 300 }, (_, nth) => ({
      ...{ name: `prompt${nth}`, description: 'x'.repeat(1000), arguments: [argument] },
    })),
  }));
  server.setRequestHandler('prompts/get', ({ params: { name, arguments: args = {} } }) => {
    if (!name.startsWith('prompt')) throw new Error(`no such prompt: ${name}`);
    const text = `Write about ${args.topic}.`;
    const count = name === 'prompt0' ? 300 : 1;
    return {
      messages: Array.from({ length: count }, () => ({
        role: 'user' as const,
        content: { type: 'text' as const, text },
      })),
    };
  });
}

/** Asks the user, and returns the answer. */
async function elicit(server: Server, message: string) {
  const answer = await server.elicitInput({ mode: 'form', message, requestedSchema: CITY });
  return { content: [{ type: 'text' as const, text: JSON.stringify(answer) }], isError: answer.action === 'cancel' };
}

/** Asks the user to open a page, and returns why this was refused. */
async function elicitUrl(server: Server) {
  const params = { mode: 'url', message: 'Sign in', url: 'https://example.com/', elicitationId: '1' } as const;
  const refused = await server
    .request({ method: 'elicitation/create', params }, specTypeSchemas.ElicitResult)
    .catch((error: Error) => error.message);
  return { content: [{ type: 'text' as const, text: JSON.stringify(refused) }] };
}

/** Speaks only the revision without `initialize`. Its tool asks the user for a city by its result. */
async function serveNewest(): Promise<void> {
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  serveStdio(
    () => {
      const server = new Server({ name: 'newest', version: '1' }, { capabilities: { tools: {} } });
      server.setRequestHandler('tools/list', () => ({ tools: [{ name: 'elicit', inputSchema: object({}) }] }));
      server.setRequestHandler('tools/call', (_request, { mcpReq: { inputResponses } }) => {
        const city = JSON.stringify(inputResponses?.city);
        const isAnswered = city !== undefined && !city.includes('cancel');
        if (isAnswered) return { content: [{ type: 'text', text: city }] };
        const asked = inputRequired.elicit({ message: 'Which city?', requestedSchema: CITY });
        return inputRequired({ inputRequests: { city: asked } });
      });
      return server;
    },
    { legacy: 'reject' },
  );
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
