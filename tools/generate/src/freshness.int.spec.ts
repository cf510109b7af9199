import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

test('what is generated is what proto/ says; npm run generate writes it', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts'), '--check'], {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  expect({ status, stale: stdout.match(/^stale: .*$/gm), stderr }).toEqual({ status: 0, stale: null, stderr: '' });
});
