import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, describe, expect, test } from '@jest/globals';
import { type CompiledWorkspaceRuntimePlan, compileWorkspace, declaredProcess, gatherInput } from './index.ts';

const EXAMPLES = fileURLToPath(new URL('../../../examples/', import.meta.url));
const NAMES = ['support-desk', 'inventory-desk'];
const running: ChildProcess[] = [];

afterEach(async () => {
  for (const child of running.splice(0)) {
    child.kill('SIGTERM');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
});

async function planOf(example: string): Promise<CompiledWorkspaceRuntimePlan> {
  const dir = join(EXAMPLES, example);
  const entries = readdirSync(dir, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  const result = compileWorkspace(
    await gatherInput(example, {
      paths: () => entries.map((entry) => relative(dir, join(entry.parentPath, entry.name))),
      size: (path) => statSync(join(dir, path), { throwIfNoEntry: false })?.size,
      read: async (path) => readFileSync(join(dir, path), 'utf8'),
    }),
  );
  if (!result.ok) throw new Error(result.error.message);
  return result.plan;
}

function start(command: string, args: readonly string[], cwd: string, env: Record<string, string> = {}): ChildProcess {
  const child = spawn(command, args, {
    cwd,
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  running.push(child);
  return child;
}

const message = (id: number, method: string, params: object = {}): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;

describe.each(NAMES)('%s', (example) => {
  test('the local servers offer the allowlisted tools', async () => {
    const { resolved_mcp_servers: servers, resolved_mcp_tool_refs: refs } = await planOf(example);
    const local = servers.filter(({ server_id, command }) => server_id !== 'workspace' && command.length > 0);
    expect(local.length).toBeGreaterThan(0);
    for (const { server_id, command } of local) {
      const [program = '', ...args] = command;
      const child = start(program, args, join(EXAMPLES, example));
      const answers = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
      child.stdin?.write(message(1, 'initialize', { protocolVersion: '2025-06-18' }) + message(2, 'tools/list'));
      await answers.next();
      const { result } = JSON.parse(String((await answers.next()).value)) as { result: { tools: { name: string }[] } };
      const named = refs.filter((ref) => ref.server_id === server_id).map(({ tool_name }) => tool_name);
      expect(result.tools.map(({ name }) => name)).toEqual(expect.arrayContaining(named.length > 0 ? named : ['now']));
    }
  });

  test('the workspace tools are functions of its modules', async () => {
    const { workspace_mcp_catalog: catalog } = await planOf(example);
    expect(catalog.length).toBeGreaterThan(0);
    for (const { module_path, symbol_name } of catalog) {
      const file = join(EXAMPLES, example, `${module_path.replaceAll('.', '/')}.mjs`);
      const module = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
      expect(typeof module[symbol_name]).toBe('function');
    }
  });
});

test('the application of support-desk starts on the given port, reports that it is healthy, and serves MCP', async () => {
  const [app] = (await planOf('support-desk')).resolved_applications;
  if (!app) throw new Error('there is no application');
  const port = await freePort();
  start('/bin/sh', ['-c', `exec ${app.lifecycle.start}`], join(EXAMPLES, 'support-desk', app.base_dir), {
    MCP_PORT: String(port),
  });
  const url = `http://localhost:${port}`;
  const health = await answers(`${url}${app.health_check.path}`);
  expect(health.status).toBe(200);
  const response = await fetch(`${url}${app.mcp.path}`, { method: 'POST', body: message(1, 'tools/list') });
  expect(await response.json()).toMatchObject({ result: { tools: [{ name: 'list' }, { name: 'close' }] } });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function answers(url: string): Promise<Response> {
  for (let left = 2_400; ; left -= 1) {
    try {
      return await fetch(url);
    } catch (error) {
      if (left === 0) throw error;
      await wait(25);
    }
  }
}

test('release-desk compiles and declares an existing process', async () => {
  const plan = await planOf('release-desk');
  expect(plan.resolved_mcp_servers).toEqual([]);
  const dir = join(EXAMPLES, 'release-desk');
  const [path = '', name] = declaredProcess(readFileSync(join(dir, 'workspace.yaml'), 'utf8'))?.split('#') ?? [];
  expect(readFileSync(join(dir, path), 'utf8')).toContain(`export async function ${name}(`);
});
