import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { tempDir } from '@reins/testing';
import { compileLoaded, readWorkspace } from './actions.ts';

const folder = await tempDir('checked-code');
afterAll(() => rmSync(folder, { recursive: true }));

const WORKSPACE = `agents: {id: a, model: m}
process: process/main.ts#process
mcp_registry:
  servers: {}
  catalog:
    workspace.forecast: {module_path: tools.weather, symbol: forecast}
`;
const FILES = {
  'tools/weather.mjs': 'export const forecast = ({ city }) => ({ city });',
  'process/main.ts':
    "import { twice } from './twice.ts';\nexport async function process(ctx: unknown) { return twice(1); }",
  'process/twice.ts': 'export const twice = (n: number): number => 2 * n;',
};
let workspaces = 0;

/** Compiles a workspace with these changes: the path, message and hint of each error. */
async function errorsOf(workspace: string, files: Readonly<Record<string, string>> = {}) {
  workspaces += 1;
  const dir = join(folder, `w${workspaces}`);
  for (const [path, text] of Object.entries({ 'workspace.yaml': workspace, ...FILES, ...files })) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  const { ok, diagnostics } = await compileLoaded(dir, await readWorkspace(dir), {});
  expect(ok).toBe(diagnostics.length === 0);
  return diagnostics.map(({ path, line, message, hint }) => `${path} ${line}: ${message}. ${hint}`);
}

test('modules that load, with the named exports, have no error', async () => {
  expect(await errorsOf(WORKSPACE)).toEqual([]);
  expect(await errorsOf(WORKSPACE.replace('#process', ''))).toEqual([]);
});

test.each([
  [
    'a missing module',
    'tools.weather',
    'tools.wether',
    /^.*module_path 6: the module 'tools.wether' does not exist. did you mean 'tools.weather'\?$/,
  ],
  [
    'a missing symbol',
    'symbol: forecast',
    'symbol: forcast',
    /symbol 6: tools\/weather.mjs has no export 'forcast'; it exports: forecast. did you mean 'forecast'\?$/,
  ],
  [
    'a missing process',
    'process/main.ts',
    'process/mian.ts',
    /^process 2: the module 'process\/mian.ts' does not exist. did you mean 'process\/main.ts'\?$/,
  ],
  [
    'a missing export of the process',
    '#process',
    '#proces',
    /^process 2: process\/main.ts has no export 'proces'; it exports: process. did you mean 'process\/main.ts#process'\?$/,
  ],
])('%s is an error at its place, with what was meant', async (_, before, after, expected) => {
  const errors = await errorsOf(WORKSPACE.replace(before, after));
  expect(errors).toEqual([expect.stringMatching(expected)]);
});

test('errors of workspace.yaml and of its modules are reported together', async () => {
  const workspace = `budgets: {max_tokens: -1}\n${WORKSPACE.replace('servers: {}', 'servers: {a: {type: nothing}}')}`;
  const code = { 'tools/weather.mjs': 'export const forecast = ;', 'process/main.ts': 'export function process( {' };
  const errors = await errorsOf(workspace, code);
  expect(errors.map((error) => error.split(' ', 1)[0])).toEqual([
    'budgets.max_tokens',
    'process',
    'mcp_registry.servers.a.type',
    'mcp_registry.catalog.workspace.forecast.module_path',
  ]);
});

test.each([
  ['tools/weather.mjs', 'export const forecast = ;', /cannot be loaded: tools\/weather.mjs:1:25: Unexpected token/],
  ['process/main.ts', 'export function process( {', /cannot be loaded: process\/main.ts:1:\d+: /],
  ['process/twice.ts', 'export const = 1;', /process\/main.ts cannot be loaded: process\/twice.ts:1:\d+: /],
  [
    'process/main.ts',
    "import './gone.ts'; export const process = 1;",
    /cannot be loaded: process\/main.ts → .\/gone.ts: .* not found/,
  ],
  ['process/main.ts', 'export const run = 1;', /has no export 'process'; it exports: run/],
])('code that cannot be loaded is an error: %s', async (path, text, expected) => {
  expect(await errorsOf(WORKSPACE, { [path]: text })).toEqual([expect.stringMatching(expected)]);
});

test.each([
  ['export default { forecast() {} };', 'tools/weather.mjs'],
  ["export * from '../shared/all.mjs';", 'tools/weather.mjs'],
  ['exports.forecast = () => 1;', 'tools/weather.cjs'],
])('exports that the text does not show are not checked: %s', async (text, path) => {
  const files: Record<string, string> = path.endsWith('.cjs')
    ? { 'tools/weather.mjs': 'export * from "./weather.cjs";' }
    : {};
  expect(await errorsOf(WORKSPACE, { ...files, [path]: text })).toEqual([]);
});
