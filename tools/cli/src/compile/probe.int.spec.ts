import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { listRunProcesses } from '@reins/harness';
import { identityOf } from '@reins/service-kit/folders';
import { tempDir, until } from '@reins/testing';
import { runProgram } from '../program.ts';

const JSON_RPC = fileURLToPath(new URL('../../../../examples/inventory-desk/servers/json-rpc.mjs', import.meta.url));
const NOTES = `import { serve } from './json-rpc.mjs';
const tool = (run) => ({ description: 'A tool.', inputSchema: { type: 'object' }, run });
if (process.env.NOTES_KEY !== 'canary') throw new Error('the key is missing');
if (process.env.OTHER_KEY) throw new Error('a secret was inherited');
await serve('notes', { read: tool(() => ''), search: tool(() => ''), wipe: tool(() => '') });
`;
const workspace = (allowed: string): string => `agents: {id: a, model: m}
mcp_registry:
  allowlist:
    tool_ids: [${allowed}]
  servers:
    notes: {type: local, command: [node, servers/notes.mjs], environment: {NOTES_KEY: "{env:NOTES_KEY}"}}
    broken: {type: local, command: [node, -e, "throw new Error('out of ink')"]}
  catalog:
    workspace.count: {module_path: tools.words, symbol: count}
`;

/** A folder with two servers and a tool. */
async function workspaceWith(allowed: string): Promise<string> {
  const dir = await tempDir('probe');
  const files = {
    'workspace.yaml': workspace(allowed),
    'AGENTS.md': 'Be kind.',
    'servers/notes.mjs': NOTES,
    'tools/words.mjs': 'export const count = (text) => text.length;',
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  copyFileSync(JSON_RPC, join(dir, 'servers', 'json-rpc.mjs'));
  return dir;
}

async function probe(dir: string, more: readonly string[] = [], settings: Readonly<Record<string, string>> = {}) {
  let [out, err] = ['', ''];
  const secrets = { REINS_HOST_SECRETS: 'NOTES_KEY', NOTES_KEY: 'canary', OTHER_KEY: 'secret' };
  const env = { PATH: process.env.PATH, ...secrets, ...settings };
  const exit = await runProgram(['compile', dir, '--probe', ...more], {
    env,
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
  });
  const owner = await identityOf(process.pid);
  expect((await listRunProcesses()).filter(({ token }) => token.startsWith(owner))).toEqual([]);
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith('reins-run-') && name.includes(owner))).toEqual([]);
  return { exit, out, err };
}

test('a probe reports tools that no server offers and servers that do not start, and leaves nothing behind', async () => {
  const { exit, out, err } = await probe(await workspaceWith('notes.read, notes.serch, workspace.count'));
  expect({ exit, out }).toEqual({ exit: 1, out: '' });
  expect(err).toContain('notes: 3 tools; not in the allowlist: search, wipe\n');
  expect(err).toContain('broken: does not start\n');
  expect(err).toContain('workspace: 1 tool (count)\n');
  expect(err).toMatch(
    /workspace_mcp_tool_unknown\n\s+the server 'notes' has no tool 'serch'; it offers: read, search, wipe/,
  );
  expect(err).toContain("did you mean 'notes.search'?");
  expect(err).toContain("'broken' does not start: MCP server 'broken': exited (code 1): Error: out of ink");
  expect(err).toMatch(/workspace\.yaml:4:\d+/);
});

test('--json has the diagnostics, and the tools of each server', async () => {
  const dir = await workspaceWith('notes.read, workspace.count');
  writeFileSync(join(dir, 'tools/words.mjs'), 'export const cuont = 1;');
  const { exit, out } = await probe(dir, ['--json']);
  expect(exit).toBe(1);
  expect(JSON.parse(out)).toMatchObject({
    ok: false,
    error: { code: 'workspace_module_invalid' },
    diagnostics: [
      { code: 'workspace_mcp_server_failed', path: 'mcp_registry.servers.broken' },
      { code: 'workspace_module_invalid', hint: "did you mean 'cuont'?" },
    ],
    servers: [
      { server: 'notes', tools: ['read', 'search', 'wipe'], unlisted: ['search', 'wipe'] },
      { server: 'broken', tools: [], unlisted: [], problem: { code: 'mcp_server_failed' } },
      { server: 'workspace', tools: [] },
    ],
  });
});

test('a workspace that does not compile is not started, and --watch is refused', async () => {
  const dir = await workspaceWith('nots.read');
  const { exit, err } = await probe(dir);
  expect([exit, err]).toEqual([1, expect.stringContaining("unknown MCP server 'nots'")]);
  expect(err).toContain('no server was started, because the workspace does not compile\n');
  expect(err).not.toContain('tools');
  expect((await probe(dir, ['--watch'])).err).toContain('--probe and --watch cannot be combined');
});

test('problems of the probe and of the workspace are shown together, and nothing says that it compiled', async () => {
  const dir = await workspaceWith('notes.serch');
  const process = 'process/main.ts';
  writeFileSync(join(dir, 'workspace.yaml'), `process: ${process}\n${workspace('notes.serch')}`);
  mkdirSync(join(dir, 'process'));
  writeFileSync(join(dir, process), 'export function process( {');
  const started = await probe(dir);
  expect([started.exit, started.out]).toEqual([1, '']);
  expect(started.err).toContain("the server 'notes' has no tool 'serch'");
  expect(started.err).toContain(`${process} cannot be loaded`);
  expect(started.err).toContain("'broken' does not start");
  writeFileSync(join(dir, process), 'export function process() {}');
  const settings = { REINS_HOST_SERVICES_NETWORK: 'none of these' };
  const refused = await probe(dir, [], settings);
  expect([refused.exit, refused.out]).toEqual([1, '']);
  expect(refused.err).toContain('host.servicesNetwork');
  const { out } = await probe(dir, ['--json'], settings);
  expect(JSON.parse(out)).toMatchObject({ ok: false, error: { path: 'host.servicesNetwork' } });
});

test('a probe with an allow-list leaves no door open', async () => {
  const settings = { REINS_HOST_SERVICES_NETWORK: 'allow-list', REINS_HOST_ALLOW: 'example.org:443' };
  const openPipes = (): number => process.getActiveResourcesInfo().filter((name) => name === 'PipeWrap').length;
  const before = openPipes();
  const { err } = await probe(await workspaceWith('notes.read, workspace.count'), [], settings);
  expect(err).toContain('notes: 3 tools');
  await until(() => openPipes() <= before);
});
