import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from '@jest/globals';
import { tempDir } from '@reins/testing';
import { postgresLauncher } from './parts.ts';

it('leaves no Postgres behind that cannot be used, so that the next one starts', async () => {
  const file = { write: () => {} } as unknown as Parameters<typeof postgresLauncher>[0]['file'];
  const start = postgresLauncher({ stateDir: await tempDir('postgres'), env: process.env, log: () => {}, file });
  const first = await start();
  await first.stop();
  const passwordFile = join(first.dir, 'data', 'reins-password');
  const password = await readFile(passwordFile, 'utf8');
  await writeFile(passwordFile, 'wrong');
  await expect(start()).rejects.toMatchObject({ code: '28P01' });
  await writeFile(passwordFile, password);
  const next = await start();
  expect(dirname(next.dir)).toBe(dirname(first.dir));
  await next.stop();
});
