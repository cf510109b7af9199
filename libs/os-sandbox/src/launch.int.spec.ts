import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { tempDir, until } from '@reins/testing';
import { type Isolation, type LaunchOptions, launchIsolated, tryBubblewrap, tryLandlock } from './index.ts';

/** The backends that work on this host. The others cannot be tested here. */
const isolations = (await Promise.all([tryBubblewrap(), tryLandlock('tested alone')])).flatMap((attempt) =>
  'isolation' in attempt ? [attempt.isolation] : [],
);

test('bubblewrap or Landlock works where bubblewrap is installed', () => {
  expect(isolations.length > 0 || !existsSync('/usr/bin/bwrap')).toBe(true);
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

const evaluated = (isolation: Isolation, code: string, options: Partial<LaunchOptions> = {}): Promise<Ended> =>
  ended(launchIsolated(isolation, { ...NODE, ...options, args: ['-e', code] }));

describe.each(isolations)('a child in $backend', (isolation) => {
  let folder = '';
  beforeAll(async () => {
    folder = realpathSync(await tempDir('launch'));
    for (const name of ['given', 'other', 'kept']) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'file'), name);
    }
    symlinkSync(join(folder, 'other', 'file'), join(folder, 'given', 'link'));
  });

  test('reads only the files that it is given', async () => {
    const code = `const fs = require('fs'); const read = (path) => { try { return fs.readFileSync(path, 'utf8') } catch (error) { return 'refused' } };
      console.log(JSON.stringify([${JSON.stringify(folder)}].flatMap((at) => ['given/file', 'other/file', 'given/link'].map((path) => read(at + '/' + path)))))`;
    const { output } = await evaluated(isolation, code, { readable: [join(folder, 'given')] });
    expect(JSON.parse(output)).toEqual(['given', 'refused', 'refused']);
  });

  test('writes only to the folders that it is given', async () => {
    const code = `const fs = require('fs'); for (const path of ['kept/new', 'given/new']) try { fs.writeFileSync(${JSON.stringify(folder)} + '/' + path, 'x') } catch {}`;
    await evaluated(isolation, code, { readable: [join(folder, 'given')], writable: [join(folder, 'kept')] });
    expect(existsSync(join(folder, 'kept', 'new'))).toBe(true);
    expect(existsSync(join(folder, 'given', 'new'))).toBe(false);
  });

  test('starts programs only with `processes`', async () => {
    const code = `try { process.stdout.write(require('child_process').execFileSync(process.execPath, ['-p', '1 + 1'])) } catch (error) { console.log(error.code) }`;
    expect((await evaluated(isolation, code)).output.trim()).toBe('EPERM');
    expect((await evaluated(isolation, code, { processes: true })).output.trim()).toBe('2');
  });

  test('has its own environment and working directory', async () => {
    const code = `console.log(JSON.stringify([process.env.TZ, process.env.HOME, process.env.PATH, process.cwd()]))`;
    const { output } = await evaluated(isolation, code, {
      cwd: join(folder, 'given'),
      readable: [join(folder, 'given')],
    });
    expect(JSON.parse(output)).toEqual(['UTC', null, null, join(folder, 'given')]);
  });

  test('uses the pipes that it is given', async () => {
    const child = launchIsolated(isolation, {
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

  test.each<Record<string, string>>([{ A: 'x\0--bind\0/\0/' }, { 'A\0B': 'x' }])(
    'is not started with a NUL byte in %j',
    (env) => {
      expect(() => launchIsolated(isolation, { ...NODE, env })).toThrow(/contains a NUL byte/);
    },
  );

  test('reports its exit code', async () => {
    expect((await evaluated(isolation, 'process.exit(7)')).code).toBe(7);
  });

  test('cannot exceed its memory limit', async () => {
    const { code, errors } = await evaluated(isolation, 'const all = []; for (;;) all.push(Buffer.alloc(1e7, 1))', {
      limits: { dataKb: 1024 * 1024 },
    });
    expect(code).not.toBe(0);
    expect(errors).not.toBe('');
  });

  test('dies with its parent, even in an endless loop', async () => {
    const script = fileURLToPath(new URL('testing/owner.ts', import.meta.url));
    const owner = spawn(
      process.execPath,
      ['--conditions=reins-source', '--no-warnings', script, JSON.stringify(isolation), folder],
      // A descriptor that the owner inherited from its own parent.
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

const COMPILER = ['/usr/bin/cc', '/usr/bin/gcc', '/usr/bin/clang'].find(existsSync);

/**
 * Native code that a program loads, as authored code could. The program exits with 70 or more when a call succeeded.
 */
const NATIVE = `
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/inotify.h>
#include <unistd.h>
static int did(const char *name) { const char *asked = getenv("ATTACK"); while (*name && *name == *asked) { name++; asked++; } return *name == *asked; }
__attribute__((constructor)) static void go(void) {
  const char *escaped = getenv("ESCAPED");
  if (escaped) close(open(escaped, O_CREAT | O_WRONLY, 0600));
  if (did("survive")) prctl(PR_SET_PDEATHSIG, 0);
  if (did("pdeathsig") && prctl(PR_SET_PDEATHSIG, 0) == 0) _exit(70);
  if (did("memfd") && syscall(SYS_memfd_create, "x", 0) >= 0) _exit(71);
  if (did("shared") && mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0) != MAP_FAILED) _exit(72);
  if (did("zero") && mmap(0, 4096, PROT_READ, MAP_SHARED, open("/dev/zero", O_RDWR), 0) != MAP_FAILED) _exit(73);
  if (did("lease") && fcntl(open(getenv("FILE"), O_RDONLY), F_SETLEASE, F_RDLCK) == 0) _exit(74);
  if (did("owner") && fcntl(0, F_SETOWN, 1) == 0) _exit(75);
  if (did("inotify") && inotify_init1(0) >= 0) _exit(76);
}`;
const CALLS = ['pdeathsig', 'memfd', 'shared', 'zero', 'lease', 'owner', 'inotify'];

describe.each(isolations)('native code in $backend', (isolation) => {
  let [folder, addon] = ['', ''];
  beforeAll(async () => {
    if (COMPILER === undefined) throw new Error('these tests need a C compiler');
    folder = realpathSync(await tempDir('native'));
    addon = join(folder, 'attack.node');
    mkdirSync(join(folder, 'inside'));
    writeFileSync(join(folder, 'attack.c'), NATIVE);
    writeFileSync(join(folder, 'file'), '');
    execFileSync(COMPILER, ['-shared', '-fPIC', '-o', addon, join(folder, 'attack.c')]);
  });

  const started = (within: Isolation, attack: string, then: string, more: Partial<LaunchOptions> = {}): ChildProcess =>
    launchIsolated(within, {
      ...NODE,
      env: { ATTACK: attack, FILE: join(folder, 'file') },
      args: ['-e', `try { process.dlopen({ exports: {} }, ${JSON.stringify(addon)}) } catch {} ${then}`],
      readable: [folder],
      ...more,
    });

  test.each(CALLS)('cannot call %s', async (attack) => {
    expect((await ended(started(isolation, attack, 'process.exit(7)'))).code).toBe(7);
    const unconfined = await ended(started({ backend: 'none', program: '', lacks: [] }, attack, 'process.exit(7)'));
    expect(unconfined.code).toBe(70 + CALLS.indexOf(attack));
  });

  test('that the environment preloads runs only inside', async () => {
    const preloading = (target: string): ChildProcess =>
      launchIsolated(isolation, {
        ...NODE,
        env: { LD_PRELOAD: addon, BASH_ENV: addon, ESCAPED: target, ATTACK: 'none', MARK: 'a', SECRET: 'b' },
        marks: ['MARK'],
        args: ['-e', 'process.stdout.write(process.env.MARK + process.env.SECRET)'],
        readable: [addon],
        writable: [join(folder, 'inside')],
      });
    expect((await ended(preloading(join(folder, 'inside', 'loaded')))).output).toBe('ab');
    expect((await ended(preloading(join(folder, 'outside')))).output).toBe('ab');
    expect([existsSync(join(folder, 'inside', 'loaded')), existsSync(join(folder, 'outside'))]).toEqual([true, false]);
  });

  test.each([false, true])(
    'dies when its sandbox is killed, even without a parent-death signal (processes: %s)',
    async (processes) => {
      const mark = `survivor-${process.pid}-${processes}`;
      const loop = `process.title = ${JSON.stringify(mark)}; require('fs').writeSync(1, 'up'); const end = Date.now() + 30_000; while (Date.now() < end);`;
      const child = started(isolation, 'survive', loop, { processes });
      await once(child.stdout as Readable, 'data');
      expect(titled(mark)).toHaveLength(1);
      child.kill('SIGKILL');
      await until(() => titled(mark).length === 0);
    },
  );
});

/** Processes of this host with this title. */
const titled = (title: string): string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith(title);
    } catch {
      return false;
    }
  });

describe('without isolation', () => {
  const isolation: Isolation = { backend: 'none', program: '', lacks: [] };

  test('a child runs', async () => {
    expect((await evaluated(isolation, 'console.log(1)')).output).toBe('1\n');
  });

  test.each(['command', 'readable', 'writable'])('%s must be absolute', (name) => {
    const value = name === 'command' ? 'node' : ['folder'];
    expect(() => launchIsolated(isolation, { ...NODE, [name]: value })).toThrow(/is not absolute/);
  });
});

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
