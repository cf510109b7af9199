import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { encodeWorkspaceCatalog } from '@reins/runtime-config';
import { until } from '@reins/testing';
import { call, clientOf, endAll, newPlace, start } from '../testing/services-fixture.ts';

afterEach(async () => expect(await endAll()).toEqual([]));

const FILES = {
  'tools/b.mjs':
    "import { word } from '../shared/word.mjs';\nexport const say = ({ n }) => ({ said: word + ' ' + n });\nsay.description = 'Says it.';\nsay.inputSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };",
  'shared/word.mjs': "export const word = 'one';",
  'tools/a/index.ts':
    'export async function typed(args: { x?: string }): Promise<string> { return "typed " + args.x; }',
  'tools/old.cjs': 'exports.old = (_, { workspaceDir }) => workspaceDir.length > 0; exports.Shape = class {};',
  'tools/throws.mjs': "export function oops() { throw new Error('it broke'); }",
  'tools/loop.mjs': 'export function loop() { for (;;); }',
  'tools/snake.py': 'def snake(): pass',
  'tools/broken.mjs': 'export function broken( {',
};

const entry = (tool: string, module: string, symbol = tool) => ({
  tool_id: `workspace.${tool}`,
  tool_name: tool,
  module_path: module,
  symbol_name: symbol,
});

async function workspace(entries: readonly ReturnType<typeof entry>[], timeout = 30_000) {
  const place = await newPlace();
  const at = (path: string): string => join(place.workDir, path);
  await Promise.all(['tools/a', 'shared'].map((folder) => mkdir(at(folder), { recursive: true })));
  await Promise.all(Object.entries(FILES).map(([path, text]) => writeFile(at(path), text)));
  await symlink('/etc/hostname', at('tools/away.mjs'));
  const spec = { physical_server_id: 'workspace__1', fingerprint: 'f', timeout_ms: timeout };
  const refs = entries.map(({ tool_id, tool_name }) => ({ tool_id, server_id: 'workspace__1', tool_name }));
  const services = await start(
    {
      workspace_tools: { ...spec, catalog_json_base64: encodeWorkspaceCatalog(entries) },
      mcp_tool_refs: refs,
      mappings: [{ logical_id: 'workspace', physical_id: 'workspace__1' }],
    },
    place,
  );
  return { services, at };
}

const name = (tool: string): string => `mcp__workspace_1__${tool}`;

describe("a workspace's own tools", () => {
  test('are functions of its modules, in the order of the catalog; what is none is told as missing', async () => {
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
    expect(await call(services, name('old'))).toMatchObject({ text: 'true' });
    expect(await call(services, name('oops'))).toEqual({ text: 'it broke', isError: true });
  });

  test('are read again when a file changes, also one that they import', async () => {
    const { services, at } = await workspace([entry('say', 'tools.b'), entry('old', 'tools.old')]);
    expect(await call(services, name('say'), { n: 1 })).toMatchObject({ text: '{"said":"one 1"}' });
    expect(await call(services, name('old'))).toMatchObject({ text: 'true' });
    await writeFile(at('shared/word.mjs'), "export const word = 'three';");
    await writeFile(at('tools/old.cjs'), "exports.old = () => 'newer';");
    expect(await call(services, name('say'), { n: 1 })).toMatchObject({ text: '{"said":"three 1"}' });
    expect(await call(services, name('old'))).toMatchObject({ text: 'newer' });
    await writeFile(at('tools/b.mjs'), 'export const say = (');
    expect(await call(services, name('say'), { n: 1 })).toMatchObject({ isError: true });
    await writeFile(at('tools/b.mjs'), "export const say = () => 'mended';");
    expect(await call(services, name('say'), { n: 1 })).toMatchObject({ text: 'mended', isError: false });
  });

  test('that never end are ended, and told as gone', async () => {
    const { services } = await workspace([entry('loop', 'tools.loop')], 6000);
    expect(await call(services, name('loop'))).toMatchObject({ isError: true });
    await until(() => services.unavailable.length > 0);
    expect(services.unavailable).toMatchObject([
      { reason: 'it answers nothing any more', missingToolIds: ['workspace.loop'] },
    ]);
  });
});
