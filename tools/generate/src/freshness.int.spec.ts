import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

test('generated files are up to date with proto/; run npm run generate otherwise', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts'), '--check'], {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  expect({ status, stale: stdout.match(/^stale: .*$/gm), stderr }).toEqual({ status: 0, stale: null, stderr: '' });
});
