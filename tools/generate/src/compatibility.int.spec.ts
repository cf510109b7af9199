import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { BUF, PROTO, RELEASED } from './contract-files.ts';

test('proto/ is compatible with the contract of the last release', () => {
  const { status, stdout, stderr } = spawnSync(BUF, ['breaking', '--against', RELEASED], {
    cwd: PROTO,
    encoding: 'utf8',
  });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
});
