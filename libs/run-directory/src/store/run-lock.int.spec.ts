import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { tempDir } from '@reins/testing';
import { acquireRunLock } from './run-lock.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await tempDir('lock');
  path = join(folder, 'run.lock');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const acquire = (patienceMs = 0) => acquireRunLock(path, { owner: 'test', patienceMs });
const deadPid = spawnSync(process.execPath, ['-e', '']).pid;

describe('the lock of a run directory', () => {
  test('names its holder, and is removed on release', async () => {
    const lock = await acquire();
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
      host: hostname(),
      pid: process.pid,
      owner: 'test',
      expiresAt: expect.stringMatching(/Z$/),
    });
    expect(await lock.isHeld()).toBe(true);
    await lock.release();
    await (await acquire()).release();
  });

  test('waits for a live holder, and then reports it', async () => {
    const lock = await acquire();
    await expect(acquire()).rejects.toMatchObject({
      code: 'run_locked',
      message: expect.stringContaining(`process ${process.pid}`),
    });
    const waiting = acquire(60_000);
    await lock.release();
    await (await waiting).release();
  });

  test.each([
    ['empty', ''],
    ['torn', '{"pid": 12'],
    [
      'of a process that has ended',
      JSON.stringify({ pid: deadPid, owner: 'runtime:createRun', acquiredAt: '2000-01-01T00:00:00.000Z' }),
    ],
    [
      'of an earlier process with our id',
      JSON.stringify({
        pid: process.pid,
        host: hostname(),
        startedAt: 'another boot:1',
        owner: 'x',
        token: 't',
        expiresAt: '9999-01-01T00:00:00Z',
      }),
    ],
    [
      'of a babysitter process whose id belongs to a younger process now',
      JSON.stringify({ pid: process.pid, owner: 'runtime:createRun', acquiredAt: '2000-01-01T00:00:00.000Z' }),
    ],
    [
      'of another host that was not renewed',
      JSON.stringify({ pid: 1, host: 'elsewhere', owner: 'x', token: 't', expiresAt: '2020-01-01T00:00:00Z' }),
    ],
  ])('takes over a lock %s', async (_, text) => {
    writeFileSync(path, text);
    const lock = await acquire();
    expect(await lock.isHeld()).toBe(true);
    await lock.release();
  });

  test('respects a lock of another host that is renewed, and of a live babysitter', async () => {
    writeFileSync(
      path,
      JSON.stringify({ pid: 1, host: 'elsewhere', owner: 'x', token: 't', expiresAt: '9999-01-01T00:00:00Z' }),
    );
    await expect(acquire()).rejects.toMatchObject({ code: 'run_locked' });
    writeFileSync(
      path,
      JSON.stringify({ pid: process.pid, owner: 'runtime:commitEffectResult', acquiredAt: new Date().toISOString() }),
    );
    await expect(acquire()).rejects.toMatchObject({ code: 'run_locked' });
  });

  test('a lost lock is not released for its new holder', async () => {
    const lost = await acquire();
    writeFileSync(path, '');
    const next = await acquire();
    expect(await lost.isHeld()).toBe(false);
    await lost.release();
    expect(await next.isHeld()).toBe(true);
    await next.release();
  });

  test('of many processes, one at a time holds it', async () => {
    let holders = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 12 }, async () => {
        const lock = await acquire(60_000);
        holders += 1;
        most = Math.max(most, holders);
        await new Promise((resolve) => setImmediate(resolve));
        holders -= 1;
        await lock.release();
      }),
    );
    expect(most).toBe(1);
  });
});
