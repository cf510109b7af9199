import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { encodeWorkspaceCatalog } from '@reins/runtime-config';
import { until } from '@reins/testing';
import { call, clientOf, endAll, newContext, start } from '../testing/services-fixture.ts';

afterEach(async () => expect(await endAll()).toEqual([]));

const FILES = {
  'tools/b.mjs':
    "import { word } from '../shared/word.mjs';\nexport const say = ({ n }) => ({ said: word + ' ' + n });\nsay.description = 'Says it.';\nsay.inputSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };",
  'shared/word.mjs': "export const word = 'one';",
  'tools/a/index.ts':
    'type Args = { x?: string };\nexport async function typed(args: Args): Promise<string> {\n  if (args.x === "throw") throw new RangeError("no throw");\n  return "typed " + args.x;\n}',
  'tools/old.cjs': 'exports.old = (_, { workspaceDir }) => workspaceDir.length > 0; exports.Shape = class {};',
  'tools/throws.mjs': "export function oops() { throw new Error('it broke'); }",
  'tools/talks.mjs': `console.log('loaded');
export async function talks({ n }) {
  console.log('start', n);
  await new Promise((resolve) => setTimeout(resolve, 5));
  console.error('warned', n);
  return n;
}`,
  'tools/loop.mjs': 'export function loop() { for (;;); }',
  'tools/snake.py': 'def snake(): pass',
  'tools/broken.mjs': 'export function broken( {',
  'tools/lacks.mjs': "import '../shared/absent.mjs'; export const lacks = () => 1;",
  'tools/ends.mjs': "export const word = 'word'; null.x;",
  'tools/waits.mjs': 'await new Promise(() => undefined); export const waits = () => 1;',
};

const entry = (tool: string, module: string, symbol = tool) => ({
  tool_id: `workspace.${tool}`,
  tool_name: tool,
  module_path: module,
  symbol_name: symbol,
});

/** A workspace with these tools. Only the tools in `named` may be called, or all when it is empty. */
async function workspace(
  entries: readonly ReturnType<typeof entry>[],
  timeout = 30_000,
  named = entries,
  onToolOutput: (toolId: string, text: string) => void = () => undefined,
) {
  const context = { ...(await newContext()), onToolOutput };
  const at = (path: string): string => join(context.workDir, path);
  await Promise.all(['tools/a', 'shared'].map((folder) => mkdir(at(folder), { recursive: true })));
  await Promise.all(Object.entries(FILES).map(([path, text]) => writeFile(at(path), text)));
  await symlink('/etc/hostname', at('tools/away.mjs'));
  const spec = { physical_server_id: 'workspace__1', fingerprint: 'f', timeout_ms: timeout };
  const refs = named.map(({ tool_id, tool_name }) => ({ tool_id, server_id: 'workspace__1', tool_name }));
  const services = await start(
    {
      workspace_tools: { ...spec, catalog_json_base64: encodeWorkspaceCatalog(entries) },
      mcp_tool_refs: refs,
      mappings: [{ logical_id: 'workspace', physical_id: 'workspace__1' }],
    },
    context,
  );
  return { services, at, context };
}

const name = (tool: string): string => `mcp__workspace_1__${tool}`;

describe("a workspace's own tools", () => {
  test('are functions of its modules in catalog order, and other exports are reported as missing', async () => {
    const wanted = [
      ...[entry('say', 'tools.b'), entry('typed', 'tools.a'), entry('old', 'tools.old'), entry('oops', 'tools.throws')],
      ...[entry('shape', 'tools.old', 'Shape'), entry('snake', 'tools.snake'), entry('broken', 'tools.broken')],
      ...[
        entry('away', 'tools.away', 'default'),
        entry('up', 'tools...etc', 'x'),
        entry('else', 'shared.word', 'word'),
      ],
    ];
    const { services } = await workspace(wanted);
    const client = await clientOf(services);
    const { tools } = await client.listTools();
    await client.close();
    expect(tools.map((tool) => tool.name)).toEqual(['say', 'typed', 'old', 'oops'].map(name));
    expect(tools[0]).toMatchObject({ description: 'Says it.', inputSchema: { required: ['n'] } });
    expect(services.unavailable).toMatchObject([
      { serverId: 'workspace', missingToolIds: wanted.slice(4).map(({ tool_id }) => tool_id) },
    ]);
    expect(await call(services, name('say'), { n: 1 })).toEqual({ text: '{"said":"one 1"}', isError: false });
    expect(await call(services, name('say'), { n: 'x' })).toMatchObject({ isError: true });
    expect(await call(services, name('typed'), { x: 'y' })).toMatchObject({ text: 'typed y' });
    expect(await call(services, name('typed'), { x: 'throw' })).toMatchObject({
      text: 'RangeError: no throw (tools/a/index.ts:3:33)',
      isError: true,
    });
    expect(await call(services, name('old'))).toMatchObject({ text: 'true' });
    expect(await call(services, name('oops'))).toEqual({
      text: 'Error: it broke (tools/throws.mjs:1:32)',
      isError: true,
    });
  });

  test('report what they print to the call that printed it', async () => {
    const printed: [string, string][] = [];
    const { services } = await workspace([entry('talks', 'tools.talks')], 30_000, [], (...text) => printed.push(text));
    await Promise.all(['a', 'b'].map((n) => call(services, name('talks'), { n })));
    const texts = printed.map(([toolId, text]) => `${toolId}: ${text}`).join('');
    for (const n of ['a', 'b']) {
      expect(texts).toContain(`start ${n}\n`);
      expect(texts).toContain(`warned ${n}\n`);
    }
    expect(texts).toContain('loaded\n');
    expect(new Set(printed.map(([toolId]) => toolId))).toEqual(new Set(['workspace.talks']));
    expect(await call(services, name('talks'), { n: 'c' })).toEqual({ text: 'c', isError: false });
    expect(printed.at(-1)?.[1]).toContain('warned c');
  });

  test('are reloaded when a file or one of its imports changes', async () => {
    const { services, at } = await workspace([entry('say', 'tools.b'), entry('old', 'tools.old')]);
    expect(await call(services, name('say'), { n: 1 })).toMatchObject({ text: '{"said":"one 1"}' });
    expect(await call(services, name('old'))).toMatchObject({ text: 'true' });
    await writeFile(at('shared/word.mjs'), "export const word = 'three';");
    await writeFile(at('tools/old.cjs'), "exports.old = () => 'newer';");
    expect(await call(services, name('say'), { n: 1 })).toMatchObject({ text: '{"said":"three 1"}' });
    expect(await call(services, name('old'))).toMatchObject({ text: 'newer' });
    await writeFile(at('tools/b.mjs'), 'export const say = (');
    expect(await call(services, name('say'), { n: 1 })).toMatchObject({ isError: true });
    await writeFile(at('tools/b.mjs'), "import './later.mjs'; export const say = () => 'later';");
    expect(await call(services, name('say'), { n: 1 })).toEqual({
      text: expect.stringContaining("Cannot find module 'tools/later.mjs' imported from tools/b.mjs"),
      isError: true,
    });
    await writeFile(at('tools/later.mjs'), '');
    expect(await call(services, name('say'), { n: 1 })).toMatchObject({ text: 'later', isError: false });
    await writeFile(at('tools/b.mjs'), "export const say = () => 'fixed';");
    expect(await call(services, name('say'), { n: 1 })).toMatchObject({ text: 'fixed', isError: false });
  });

  const BROKEN = [
    ...[entry('cuont', 'tools.b'), entry('missing', 'tools.none'), entry('Shape', 'tools.old')],
    ...[entry('word', 'tools.b', 'default'), entry('snake', 'tools.snake'), entry('broken', 'tools.broken')],
    ...[entry('lacks', 'tools.lacks'), entry('ends', 'tools.ends')],
  ];
  const REASONS = [
    'workspace.cuont: tools/b.mjs has no export cuont',
    'workspace.missing: there is no tools/none.{mjs,js,cjs,ts,mts} and no tools/none/index.*',
    'workspace.Shape: Shape of tools/old.cjs must be a function (got a class)',
    'tools/snake.py is Python, which is not supported',
    'workspace.broken: tools/broken.mjs does not load: SyntaxError: ',
    "workspace.lacks: tools/lacks.mjs does not load: Error [ERR_MODULE_NOT_FOUND]: Cannot find module 'shared/absent.mjs' imported from tools/lacks.mjs",
    'workspace.ends: tools/ends.mjs does not load: TypeError: Cannot read properties of null',
  ];

  test.each([
    ['every tool may be called', []],
    ['they are listed', [entry('say', 'tools.b'), ...BROKEN]],
  ])('that do not load are reported with their reasons when %s', async (_, named) => {
    const { services, context } = await workspace([entry('say', 'tools.b'), ...BROKEN], 30_000, named);
    expect(services.tools.map(({ toolId }) => toolId)).toEqual(['workspace.say']);
    const [unavailable, ...more] = services.unavailable;
    expect(more).toEqual([]);
    expect(unavailable).toMatchObject({ serverId: 'workspace', required: false });
    expect(unavailable?.missingToolIds).toEqual(BROKEN.map(({ tool_id }) => tool_id));
    for (const reason of REASONS) expect(unavailable?.reason).toContain(reason);
    expect(unavailable?.reason).not.toContain(join(context.workDir, '..'));
  });

  test('that do not load are reported but not missing when they are not listed', async () => {
    const say = entry('say', 'tools.b');
    const { services } = await workspace([say, entry('cuont', 'tools.b')], 30_000, [say]);
    expect(services.unavailable).toEqual([
      {
        serverId: 'workspace',
        reason: 'workspace.cuont: tools/b.mjs has no export cuont',
        missingToolIds: [],
        required: false,
      },
    ]);
  });

  test('that never finish loading do not affect other tools', async () => {
    const { services } = await workspace([entry('say', 'tools.b'), entry('waits', 'tools.waits')], 6000, []);
    expect(services.tools.map(({ toolId }) => toolId)).toEqual(['workspace.say']);
    expect(services.unavailable).toMatchObject([
      { reason: 'workspace.waits: tools.waits was not loaded within 3000 ms', missingToolIds: ['workspace.waits'] },
    ]);
  });

  test('that fail in large numbers are reported with a length limit', async () => {
    const entries = Array.from({ length: 100 }, (_, at) => entry(`tool_${at}`, 'tools.none'));
    const { services } = await workspace(entries, 30_000, []);
    const [unavailable] = services.unavailable;
    expect(unavailable?.missingToolIds).toHaveLength(100);
    expect(unavailable?.reason).toMatch(/; and \d+ more$/);
    expect(unavailable?.reason.length).toBeLessThan(2100);
  });

  test('that never return are stopped and reported as unavailable', async () => {
    const { services } = await workspace([entry('loop', 'tools.loop')], 6000);
    expect(await call(services, name('loop'))).toMatchObject({ isError: true });
    await until(() => services.unavailable.length > 0);
    expect(services.unavailable).toMatchObject([
      { reason: 'it stopped responding', missingToolIds: ['workspace.loop'] },
    ]);
  });
});
