import { spawnSync } from 'node:child_process';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { tempDir } from '@reins/testing';

const POINTS = new URL('crash-points.ts', import.meta.url).href;
const SUBJECT = 'runtime.prepare.requested.ws.run';
let dir: string;
beforeEach(async () => {
  dir = await tempDir('crash-points');
  await mkdir(join(dir, 'poison'));
});

/** Runs a process that reaches a crash point and receives a message. Returns how it ended. */
function runProcess(message: string, armed = true): 'killed' | 'exited' {
  const does = [
    `import { armCrashPoints, crashPoint, poisonPoint } from ${JSON.stringify(POINTS)};`,
    armed ? `armCrashPoints(${JSON.stringify(dir)});` : '',
    `crashPoint('batch.written'); poisonPoint({ subject: ${JSON.stringify(message)} });`,
  ].join('\n');
  const env = { ...process.env, NODE_OPTIONS: '', REINS_CHAOS_CRASH_POINTS: dir };
  const { signal, status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', does], { env });
  if (signal === 'SIGKILL') return 'killed';
  expect([status, String(stderr)]).toEqual([0, '']);
  return 'exited';
}

describe('a process', () => {
  it('is killed once at a requested crash point', async () => {
    await writeFile(join(dir, 'batch.written'), '');
    expect([runProcess(SUBJECT), runProcess(SUBJECT)]).toEqual(['killed', 'exited']);
    expect(await readdir(dir)).toEqual(['poison']);
  });

  it('is killed only by the poison message, until its file is removed', async () => {
    const poison = join(dir, 'poison', SUBJECT);
    await writeFile(poison, '');
    expect([runProcess(SUBJECT), runProcess(SUBJECT), runProcess(`${SUBJECT}2`)]).toEqual([
      'killed',
      'killed',
      'exited',
    ]);
    await rm(poison);
    expect(runProcess(SUBJECT)).toBe('exited');
  });

  it('is not killed when crash points are not armed', async () => {
    await writeFile(join(dir, 'batch.written'), '');
    await writeFile(join(dir, 'poison', SUBJECT), '');
    expect(runProcess(SUBJECT, false)).toBe('exited');
  });
});
