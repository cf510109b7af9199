/** Compiles the servers with packages of docs/first-tool.md, and starts the one from npm. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { tempDir } from '@reins/testing';
import { runProgram } from '../program.ts';

const page = readFileSync(new URL('../../../../docs/first-tool.md', import.meta.url), 'utf8');
const workspaces = [...page.matchAll(/```yaml\n(# weather\/workspace\.yaml\n[\s\S]*?)```/g)].map(
  ([, text = '']) => text,
);

async function compile(workspace: string, more: readonly string[] = []) {
  const dir = await tempDir('weather');
  writeFileSync(join(dir, 'workspace.yaml'), workspace);
  writeFileSync(join(dir, 'AGENTS.md'), 'You take notes.');
  let err = '';
  const { PATH, HOME, NODE_EXTRA_CA_CERTS } = process.env;
  const exit = await runProgram(['compile', dir, ...more], {
    env: { PATH, HOME, NODE_EXTRA_CA_CERTS, XDG_CACHE_HOME: await tempDir('cache') },
    out: () => undefined,
    err: (text) => {
      err += text;
    },
  });
  return { exit, err };
}

test('the servers with packages compile', async () => {
  expect(workspaces).toHaveLength(2);
  for (const workspace of workspaces) expect(await compile(workspace)).toEqual({ exit: 0, err: '' });
});

test('the server from npm is installed and has the tools of the allowlist', async () => {
  const { exit, err } = await compile(workspaces.find((text) => text.includes('npm:')) ?? '', ['--probe']);
  expect(err).toContain('memory: 9 tools; not in the allowlist: create_entities, ');
  expect(exit).toBe(0);
});
