import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runProgram } from '../program.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'reins-model-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs `reins model script` and returns its exit code and its output as JSON. */
async function script(...args: string[]) {
  let out = '';
  let err = '';
  const write = (text: string): void => {
    out += text;
  };
  const note = (text: string): void => {
    err += text;
  };
  const io = { env: { REINS_STATE_DIR: folder }, out: write, err: note };
  const exit = await runProgram(['model', 'script', ...args, '--json'], io);
  return { exit, json: JSON.parse(out), err };
}

/** Records a gateway as that of the state folder. */
function recordGateway(url: string): void {
  mkdirSync(join(folder, 'run'), { recursive: true });
  writeFileSync(join(folder, 'run', 'gateway.json'), JSON.stringify({ url, natsUrl: '', databaseUrl: '' }));
}

test('names the running requests, which continue with the new script', async () => {
  let running = ['r1', 'r2'];
  const server = createServer((request, response) => {
    expect(request.url).toMatch(/^\/api\/v1\/requests\?status=running/);
    response.end(JSON.stringify({ requests: running.map((requestId) => ({ requestId })) }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    recordGateway(url);
    const changed = 'running requests use the new script from their next model call';
    expect((await script('--call', 'workspace.forecast')).err).toContain(`${changed}: r1, r2\n`);
    expect((await script('--reset')).err).toContain(`${changed}: r1, r2\n`);
    expect((await script()).err).toBe('');
    running = [];
    expect((await script('--call', 'workspace.forecast')).err).toBe('');
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect((await script('--reset')).err).toContain(`${changed}\n`);
  } finally {
    server.close();
    rmSync(join(folder, 'run'), { recursive: true });
  }
});

test('writes a script that calls a tool, shows it, and resets it', async () => {
  const file = join(folder, 'model-script.json');
  expect(await script()).toMatchObject({ exit: 0, json: { file, script: null } });
  const called = await script('--call', 'workspace.forecast', '--args', '{"city":"Oslo"}');
  const tool = { name: '/(^|[^A-Za-z0-9])forecast$/', args: { city: 'Oslo' } };
  expect(called.json.script.cases[0]).toMatchObject({ when: { stage: 'execute' }, steps: [{ tool }, {}] });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(called.json.script);
  expect((await script()).json).toEqual(called.json);
  expect((await script('--reset')).json).toEqual({ file, script: null });
  expect((await script()).json.script).toBeNull();
});

test('takes a script from a file, and refuses an invalid one', async () => {
  const source = join(folder, 'mine.json');
  writeFileSync(source, '[{ "text": "Mine." }]');
  expect((await script(source)).json.script).toEqual([{ text: 'Mine.' }]);
  writeFileSync(source, '[{ "txt": "Mine." }]');
  expect(await script(source)).toMatchObject({ exit: 1, json: { error: { code: 'script_invalid' } } });
  expect((await script()).json.script).toEqual([{ text: 'Mine.' }]);
});

test('takes the script of docs/models.md', async () => {
  const page = readFileSync(new URL('../../../../docs/models.md', import.meta.url), 'utf8');
  const [, json] = /<<'END'\n(\{.*?)\nEND\n/s.exec(page) as RegExpExecArray as unknown as [string, string];
  const source = join(folder, 'documented.json');
  writeFileSync(source, json);
  expect(await script(source)).toMatchObject({ exit: 0, json: { script: JSON.parse(json) } });
});

test.each([[['x.json', '--reset']], [['--args', '{}']], [['--call', 'x', '--args', '[]']], [['missing.json']]])(
  '%j is a usage error',
  async (args) => {
    expect((await script(...args)).exit).toBe(2);
  },
);
