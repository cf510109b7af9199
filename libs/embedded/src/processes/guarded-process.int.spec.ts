import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { GuardedProcess } from './guarded-process.ts';

const sh = (script: string) => GuardedProcess.start({ command: '/bin/sh', args: ['-c', script] });

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function gone(check: () => boolean): Promise<void> {
  for (let looks = 0; check(); looks += 1) {
    if (looks > 3_000) throw new Error('it is still there');
    await delay(20);
  }
}

describe('a guarded process', () => {
  it('runs its command and tells how it ended', async () => {
    const child = await sh('exit 7');
    expect(await child.exited).toEqual({ code: 7, signal: null });
    expect(child.exit).toEqual({ code: 7, signal: null });
  });

  it('is asked first and killed, with what it started, when it does not listen', async () => {
    const child = await sh("trap '' TERM; sleep 600 & echo $!; wait; wait");
    const [line] = await once(createInterface({ input: child.stdout }), 'line');
    expect(await child.stop(50)).toEqual({ code: null, signal: 'SIGKILL' });
    await gone(() => isAlive(Number(line)));
  });

  it('says what could not be started', async () => {
    await expect(
      GuardedProcess.start({ command: '/bin/true', args: [], cwd: '/no/such/folder' }),
    ).rejects.toMatchObject({ code: 'embedded_start_failed' });
  });

  it('does not outlive a starter that is killed; its temporary folders go as well', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'reins guard\\ed-'));
    const starter = fileURLToPath(new URL('../../testdata/starter.mjs', import.meta.url));
    const child = spawn(process.execPath, ['--conditions=reins-source', starter, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const [line] = await once(createInterface({ input: child.stdout }), 'line');
      const pid = Number(line);
      expect(isAlive(pid)).toBe(true);
      child.kill('SIGKILL');
      await once(child, 'exit');
      await gone(() => isAlive(pid));
      await gone(() => existsSync(folder));
    } finally {
      child.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    }
  });
});
