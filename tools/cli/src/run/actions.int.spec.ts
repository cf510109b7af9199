import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { tempDir, until } from '@reins/testing';
import { runProgram } from '../program.ts';

const folder = await tempDir('run');
afterAll(() => rmSync(folder, { recursive: true }));

test('a slow upload is announced to people', async () => {
  const dir = join(folder, 'workspace');
  mkdirSync(dir);
  writeFileSync(join(dir, 'workspace.yaml'), 'agents: {id: a, model: m}\nmcp_registry: {servers: {}}\n');
  let err = '';
  const note = (text: string): void => {
    err += text;
  };
  const server = createServer(async (request, response) => {
    request.resume();
    // The gateway accepts the folder only after the announcement.
    if (request.url === '/api/v1/workspaces') await until(() => err.includes(`uploading ${dir} …`));
    response.end(JSON.stringify({ revision: 'a', requestId: 'r1' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const env = {
    REINS_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    REINS_STATE_DIR: join(folder, 'none'),
  };
  let out = '';
  const write = (text: string): void => {
    out += text;
  };
  const exit = await runProgram(['run', dir, '--input', 'x', '--detach'], { env, out: write, err: note });
  expect([exit, out]).toEqual([0, 'r1\n']);
  server.close();
});

test('an agent that the workspace does not have is reported before anything is uploaded', async () => {
  const dir = join(folder, 'agents');
  mkdirSync(dir);
  const agents = '[{id: a, model: m, coordinator: true}, {id: b, model: m}]';
  writeFileSync(join(dir, 'workspace.yaml'), `agents: ${agents}\nmcp_registry: {servers: {}}\n`);
  let err = '';
  const note = (text: string): void => {
    err += text;
  };
  const env = { REINS_URL: 'http://127.0.0.1:1', REINS_STATE_DIR: join(folder, 'none') };
  const exit = await runProgram(['run', dir, '--input', 'x', '--agent', 'c'], { env, out: () => {}, err: note });
  expect(exit).toBe(1);
  expect(err).toContain("the workspace has no agent 'c'");
  expect(err).toContain('Use one of: a, b.');
});
