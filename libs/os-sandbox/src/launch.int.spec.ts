import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, openSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { tempDir, until } from '@reins/testing';
import { type LaunchOptions, launchBehind, tryBubblewrap, tryLandlock, type Wall } from './index.ts';

/** Walls that this host has. One that it does not have cannot be tested on it. */
const walls = (await Promise.all([tryBubblewrap(), tryLandlock('it is tried alone')])).flatMap((attempt) =>
  'wall' in attempt ? [attempt.wall] : [],
);

test('bubblewrap or Landlock works where bubblewrap is installed', () => {
  expect(walls.length > 0 || !existsSync('/usr/bin/bwrap')).toBe(true);
});

const NODE = { command: process.execPath, env: { TZ: 'UTC' } };

interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

async function ended(child: ChildProcess): Promise<Ended> {
  const closed = once(child, 'close') as Promise<[number | null]>;
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout as Readable),
    text(child.stderr as Readable),
    closed,
  ]);
  return { code, output, errors };
}

const evaluated = (wall: Wall, code: string, options: Partial<LaunchOptions> = {}): Promise<Ended> =>
  ended(launchBehind(wall, { ...NODE, ...options, args: ['-e', code] }));

describe.each(walls)('a child behind $backend', (wall) => {
  let folder = '';
  beforeAll(async () => {
    folder = realpathSync(await tempDir('launch'));
    for (const name of ['given', 'other', 'kept']) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'file'), name);
    }
    symlinkSync(join(folder, 'other', 'file'), join(folder, 'given', 'link'));
  });

  test('reads what it is given, and nothing next to it', async () => {
    const code = `const fs = require('fs'); const read = (path) => { try { return fs.readFileSync(path, 'utf8') } catch (error) { return 'refused' } };
      console.log(JSON.stringify([${JSON.stringify(folder)}].flatMap((at) => ['given/file', 'other/file', 'given/link'].map((path) => read(at + '/' + path)))))`;
    const { output } = await evaluated(wall, code, { readable: [join(folder, 'given')] });
    expect(JSON.parse(output)).toEqual(['given', 'refused', 'refused']);
  });

  test('writes where it may, and nowhere else', async () => {
    const code = `const fs = require('fs'); for (const path of ['kept/new', 'given/new']) try { fs.writeFileSync(${JSON.stringify(folder)} + '/' + path, 'x') } catch {}`;
    await evaluated(wall, code, { readable: [join(folder, 'given')], writable: [join(folder, 'kept')] });
    expect(existsSync(join(folder, 'kept', 'new'))).toBe(true);
    expect(existsSync(join(folder, 'given', 'new'))).toBe(false);
  });

  test('starts programs only when it may', async () => {
    const code = `try { process.stdout.write(require('child_process').execFileSync(process.execPath, ['-p', '1 + 1'])) } catch (error) { console.log(error.code) }`;
    expect((await evaluated(wall, code)).output.trim()).toBe('EPERM');
    expect((await evaluated(wall, code, { processes: true })).output.trim()).toBe('2');
  });

  test('has its own environment and its own folder', async () => {
    const code = `console.log(JSON.stringify([process.env.TZ, process.env.HOME, process.env.PATH, process.cwd()]))`;
    const { output } = await evaluated(wall, code, { cwd: join(folder, 'given'), readable: [join(folder, 'given')] });
    expect(JSON.parse(output)).toEqual(['UTC', null, null, join(folder, 'given')]);
  });

  test('has the pipes that it is given', async () => {
    const child = launchBehind(wall, {
      ...NODE,
      args: ['-e', `const fs = require('fs'); fs.writeSync(3, 'said ' + fs.readFileSync(0, 'utf8'))`],
      stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
    });
    (child.stdin as Writable).end('heard');
    const [output, errors] = await Promise.all([
      text(child.stdio[3] as Readable),
      text(child.stderr as Readable),
      once(child, 'close'),
    ]);
    expect([output, errors]).toEqual(['said heard', '']);
  });

  test('has the code with which it ends', async () => {
    expect((await evaluated(wall, 'process.exit(7)')).code).toBe(7);
  });

  test('has no more memory than it may', async () => {
    const { code, errors } = await evaluated(wall, 'const all = []; for (;;) all.push(Buffer.alloc(1e7, 1))', {
      limits: { dataKb: 1024 * 1024 },
    });
    expect(code).not.toBe(0);
    expect(errors).not.toBe('');
  });

  test('dies with its parent, whatever it is busy with', async () => {
    const script = fileURLToPath(new URL('testing/owner.ts', import.meta.url));
    const owner = spawn(
      process.execPath,
      ['--conditions=reins-source', '--no-warnings', script, JSON.stringify(wall), folder],
      // A descriptor that the owner has of its own parent.
      {
        stdio: [
          'ignore',
          'pipe',
          'inherit',
          openSync(join(folder, 'other', 'file'), 'r'),
          ...Array(9).fill('ignore'),
          openSync(join(folder, 'other', 'file'), 'r'),
        ],
      },
    );
    const [line] = (await once(owner.stdout as Readable, 'data')) as [Buffer];
    const { pid, descriptors } = JSON.parse(String(line)) as { pid: number; descriptors: string[] };
    expect(descriptors).not.toContain('other');
    expect(isAlive(pid)).toBe(true);
    owner.kill('SIGKILL');
    await until(() => !isAlive(pid));
  });
});

describe('without a wall', () => {
  const wall: Wall = { backend: 'none', program: '', lacks: [] };

  test('a child runs all the same', async () => {
    expect((await evaluated(wall, 'console.log(1)')).output).toBe('1\n');
  });

  test.each(['command', 'readable', 'writable'])('%s must be absolute', (name) => {
    const value = name === 'command' ? 'node' : ['folder'];
    expect(() => launchBehind(wall, { ...NODE, [name]: value })).toThrow(/is not absolute/);
  });
});

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
