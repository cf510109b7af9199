import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { tempDir } from '@reins/testing';
import type { PythonRuntime } from './catalog.ts';
import { installRuntime } from './install.ts';
import { installedRuntime } from './installed.ts';

const WHEEL = `
import sys, zipfile
name, version, requires, folder = sys.argv[1:5]
with zipfile.ZipFile(f'{folder}/{name}-{version}-py3-none-any.whl', 'w') as wheel:
    info = f'{name}-{version}.dist-info'
    wheel.writestr(f'{name}.py', f'def main():\\n    print("{name} {version}")\\n')
    wheel.writestr(f'{info}/METADATA', f'Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\nProvides-Extra: all\\n' + (f'Requires-Dist: {requires}\\n' if requires else ''))
    wheel.writestr(f'{info}/WHEEL', 'Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
    wheel.writestr(f'{info}/entry_points.txt', f'[console_scripts]\\n{name} = {name}:main\\n')
    wheel.writestr(f'{info}/RECORD', '')
`;

/** A folder of wheels that pip uses in place of a registry, and a runtime of it. */
async function registry(changes: Partial<PythonRuntime> = {}) {
  const folder = await tempDir('wheels');
  const wheel = (name: string, version: string, requires = ''): string => {
    execFileSync('python3', ['-c', WHEEL, name, version, requires, folder]);
    const bytes = readFileSync(join(folder, `${name}-${version}-py3-none-any.whl`));
    return `${name}==${version} --hash=sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  };
  const locked = [wheel('tool', '1.0.0', 'part'), wheel('part', '3.0.0')];
  wheel('tool', '2.0.0', 'part');
  const lock = join(folder, 'lock.txt');
  writeFileSync(lock, `${locked.join('\n')}\n`);
  const runtime: PythonRuntime = {
    registry: 'pypi',
    runtimeId: 'tool',
    package: 'tool',
    extras: 'all',
    version: '1.0.0',
    python: [8, 99],
    lock,
    program: 'bin/tool',
    ...changes,
  };
  const environment = { PATH: process.env.PATH, PIP_NO_INDEX: '1', PIP_FIND_LINKS: folder };
  return { runtime, lock, locked, options: { runtime, environment, dir: await tempDir('harnesses') } };
}

const outputOf = (executable: string): string => execFileSync(executable, { encoding: 'utf8' });

test('installs the tested version with its packages, and replaces it by another one', async () => {
  const { options } = await registry();
  const messages: string[] = [];
  const first = await installRuntime({ ...options, onProgress: (message) => messages.push(message) });
  expect(first).toMatchObject({ version: '1.0.0', integrity: expect.stringMatching(/^sha256-/) });
  expect(first.downloaded).toBeGreaterThan(0);
  expect(outputOf(first.executable)).toBe('tool 1.0.0\n');
  expect([messages[0], messages.at(-1)]).toEqual(['downloading tool 1.0.0', 'tool 1.0.0: installing']);
  expect(await installRuntime(options)).toMatchObject({ version: '1.0.0', downloaded: 0 });

  const second = await installRuntime({ ...options, version: '2.0.0' });
  expect(outputOf(second.executable)).toBe('tool 2.0.0\n');
  expect(readdirSync(join(options.dir, 'tool')).sort()).toEqual(['2.0.0', 'installed.json']);
}, 120_000);

test('refuses a package whose hash is not that of the lock, and installs nothing', async () => {
  const { options, lock, locked } = await registry();
  writeFileSync(lock, `${locked.join('\n').replace(/sha256:[0-9a-f]{64}$/, `sha256:${'0'.repeat(64)}`)}\n`);
  await expect(installRuntime(options)).rejects.toMatchObject({
    code: 'harness_install_failed',
    message: expect.stringContaining('tool 1.0.0 could not be installed'),
  });
  expect(installedRuntime(options.dir, 'tool')).toBeUndefined();
  expect(readdirSync(join(options.dir, 'tool'))).toEqual([]);
}, 120_000);

test.each([
  [{ version: '9.0.0' }, {}, /tool 9\.0\.0 could not be installed: No matching distribution found for tool.*==9\.0\.0/],
  [{}, { python: [1, 2] as const }, /tool needs Python 3\.1 to 3\.2 \(python3 is 3\.\d+\)/],
  [{ environment: { PATH: '/nowhere' } }, {}, /python3 is not on the PATH/],
])(
  'fails with the reason: %j %j',
  async (changes, ofRuntime, message) => {
    const { options } = await registry(ofRuntime);
    await expect(installRuntime({ ...options, ...changes })).rejects.toMatchObject({
      code: 'harness_install_failed',
      message: expect.stringMatching(message),
    });
  },
  120_000,
);
