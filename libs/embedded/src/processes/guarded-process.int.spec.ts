import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, watch } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { GuardedProcess } from './guarded-process.ts';

const STARTER = fileURLToPath(new URL('../../testdata/starter.mjs', import.meta.url));

const tempFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'reins guard\\ed-'));

const sh = (script: string) => GuardedProcess.start({ command: '/bin/sh', args: ['-c', script] });

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** The processes of this machine with a text in their environment. */
const pidsWith = (text: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && environmentOf(name).includes(text))
    .map(Number);

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return ''; // It has ended, or belongs to another user.
  }
}

const killed = (pid: number): boolean => process.kill(pid, 'SIGKILL');

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

/** Kills a process with all its descendants, as task runners do. */
function killedWithDescendants(pid: number): void {
  process.kill(pid, 'SIGSTOP');
  for (const child of childrenOf(pid)) killedWithDescendants(child);
  killed(pid);
}

/** Resolves when a folder is removed. */
async function folderRemoved(folder: string): Promise<void> {
  const changes = watch(dirname(folder));
  try {
    while (existsSync(folder)) await once(changes, 'change');
  } finally {
    changes.close();
  }
}

describe('a guarded process', () => {
  it('runs its command and reports its exit', async () => {
    const child = await sh('exit 7');
    expect(await child.exited).toEqual({ code: 7, signal: null });
    expect(child.exit).toEqual({ code: 7, signal: null });
  });

  it('is stopped by its signal, and killed with its descendants if it ignores it', async () => {
    const child = await sh("trap '' TERM; sleep 600 & echo $!; wait; wait");
    // A live process of the group keeps the output open.
    const silent = once(child.stdout, 'close');
    const [line] = await once(createInterface({ input: child.stdout }), 'line');
    expect(isAlive(Number(line))).toBe(true);
    expect(await child.stop(50)).toEqual({ code: null, signal: 'SIGKILL' });
    await silent;
  });

  it('gets no variables of its starter that may be keys, nor does the guardian', async () => {
    const key = `canary-${randomUUID()}`;
    const child = spawn(process.execPath, ['--conditions=reins-source', STARTER, await tempFolder()], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, CANARY_KEY: key },
    });
    try {
      await once(createInterface({ input: child.stdout }), 'line');
      expect(pidsWith(key)).toEqual([child.pid]);
    } finally {
      child.kill('SIGKILL');
    }
  });

  it('reports a command that cannot be started', async () => {
    await expect(
      GuardedProcess.start({ command: '/bin/true', args: [], cwd: '/no/such/folder' }),
    ).rejects.toMatchObject({ code: 'embedded_start_failed' });
  });

  it.each([
    ['is killed', killed],
    ['is killed with all its descendants', killedWithDescendants],
  ])('does not outlive a starter that %s, nor do its temporary folders', async (_, kill) => {
    const folder = await tempFolder();
    const child = spawn(process.execPath, ['--conditions=reins-source', STARTER, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const [line] = await once(createInterface({ input: child.stdout }), 'line');
      const pid = Number(line);
      expect(isAlive(pid)).toBe(true);
      // The starter of the guardian is about to end; then the guardian is no longer a descendant.
      while (childrenOf(child.pid as number).length > 1) await setImmediate();
      kill(child.pid as number);
      // The folders are removed last.
      await folderRemoved(folder);
      expect(isAlive(pid)).toBe(false);
      // An unguarded process that still runs may write to the folder again.
      await mkdir(join(folder, 'again'), { recursive: true });
      await folderRemoved(folder);
    } finally {
      child.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    }
  });
});
