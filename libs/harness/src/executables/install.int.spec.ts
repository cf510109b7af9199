import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { tempDir } from '@reins/testing';
import type { InstallableRuntime } from './catalog.ts';
import { integrityOf } from './download.ts';
import { installRuntime } from './install.ts';
import { installedRuntime, removeRuntime } from './installed.ts';

/** Packages of a registry, and an `npm` that downloads them. It answers as npm does for a version that does not exist. */
async function registry(versions: readonly string[]): Promise<{ path: string; integrity: string }> {
  const folder = await tempDir('registry');
  for (const version of versions) {
    const files = join(folder, version, 'package', 'bin');
    mkdirSync(files, { recursive: true });
    writeFileSync(join(files, 'tool'), `version ${version}`, { mode: 0o755 });
    writeFileSync(join(files, 'unused'), 'unused');
    execFileSync('tar', ['-czf', join(folder, `${version}.tgz`), '-C', join(folder, version), 'package']);
  }
  const npm = join(folder, 'npm');
  const script = `version="\${2##*@}"; [ -f ${folder}/$version.tgz ] || { echo "npm error code ETARGET" >&2; exit 1; }
cp ${folder}/$version.tgz "$4"/tool.tgz`;
  writeFileSync(npm, `#!/bin/sh\n${script}\n`);
  await chmod(npm, 0o755);
  return { path: `${folder}:${process.env.PATH}`, integrity: await integrityOf(join(folder, `${versions[0]}.tgz`)) };
}

const runtimeOf = (integrity: string): InstallableRuntime => ({
  registry: 'npm',
  runtimeId: 'tool',
  package: '@test/tool',
  version: '1.0.0',
  files: ['bin/tool'],
  platforms: { here: { suffix: '', integrity, folder: '' } },
});

test('installs the tested version, then replaces it by another one, then removes it', async () => {
  const { path, integrity } = await registry(['1.0.0', '2.0.0']);
  const dir = await tempDir('harnesses');
  const messages: string[] = [];
  const options = { dir, runtime: runtimeOf(integrity), platform: 'here', environment: { PATH: path } };
  const first = await installRuntime({ ...options, onProgress: (message) => messages.push(message) });
  expect(first).toMatchObject({ version: '1.0.0', integrity, bytes: 13 });
  expect(readFileSync(first.executable, 'utf8')).toBe('version 1.0.0');
  expect(messages).toEqual(['downloading @test/tool@1.0.0', 'tool 1.0.0: unpacking']);
  expect(await installRuntime(options)).toMatchObject({ version: '1.0.0', downloaded: 0 });

  const second = await installRuntime({ ...options, version: '2.0.0' });
  expect(readFileSync(second.executable, 'utf8')).toBe('version 2.0.0');
  expect(readdirSync(join(dir, 'tool')).sort()).toEqual(['2.0.0', 'installed.json']);

  expect(await removeRuntime(dir, 'tool')).toBe(true);
  expect(installedRuntime(dir, 'tool')).toBeUndefined();
  expect(await removeRuntime(dir, 'tool')).toBe(false);
});

test('refuses a package that is not the tested one, and keeps what is installed', async () => {
  const { path, integrity } = await registry(['2.0.0', '1.0.0']);
  const dir = await tempDir('harnesses');
  const options = { dir, runtime: runtimeOf(integrity), platform: 'here', environment: { PATH: path } };
  await installRuntime({ ...options, version: '2.0.0' });
  await expect(installRuntime(options)).rejects.toMatchObject({
    code: 'harness_install_failed',
    message: expect.stringContaining(`not ${integrity}`),
  });
  expect(installedRuntime(dir, 'tool')?.version).toBe('2.0.0');
  expect(readdirSync(join(dir, 'tool')).sort()).toEqual(['2.0.0', 'installed.json']);
});

test.each([
  [{ version: '3.0.0' }, /@test\/tool@3\.0\.0 could not be downloaded: npm error code ETARGET/],
  [{ version: '../x' }, /is not a version of tool/],
  [{ platform: 'sunos-sparc' }, /tool cannot be installed on sunos-sparc/],
  [{ environment: { PATH: '/nowhere' } }, /npm is not on the PATH/],
])('fails with the reason: %j', async (changes, message) => {
  const { path, integrity } = await registry(['1.0.0']);
  const dir = await tempDir('harnesses');
  const options = { dir, runtime: runtimeOf(integrity), platform: 'here', environment: { PATH: path }, ...changes };
  await expect(installRuntime(options)).rejects.toMatchObject({
    code: 'harness_install_failed',
    message: expect.stringMatching(message),
  });
});
