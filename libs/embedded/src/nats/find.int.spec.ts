import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findNatsServer, installedNats } from './find.ts';
import { installNatsServer, NATS_INSTALLERS } from './install.ts';
import { installRelease } from './release.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'reins-find-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

/** A program that only prints its version. */
async function program(file: string, version: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `#!/bin/sh\necho "nats-server: v${version}"\n`);
  await chmod(file, 0o755);
  return file;
}

const find = (setting?: string) => findNatsServer({ stateDir: dir, setting, path: join(dir, 'on-path') });

describe('finding a NATS server', () => {
  it('prefers the setting to PATH, and PATH to the installed server', async () => {
    expect(await find()).toBeUndefined();
    const installed = await program(installedNats(dir), '2.15.2');
    expect(await find()).toEqual({ binary: installed, version: '2.15.2', source: 'installed' });
    const onPath = await program(join(dir, 'on-path', 'nats-server'), '2.12.3');
    expect(await find()).toEqual({ binary: onPath, version: '2.12.3', source: 'path' });
    const named = await program(join(dir, 'named'), '2.14.0');
    expect(await find(named)).toEqual({ binary: named, version: '2.14.0', source: 'setting' });
  });

  it('skips an outdated server on PATH, and rejects an outdated server named by the setting', async () => {
    await program(join(dir, 'on-path', 'nats-server'), '2.12.2');
    const installed = await program(installedNats(dir), '2.15.2');
    expect(await find()).toMatchObject({ binary: installed });
    const old = await program(join(dir, 'old'), '2.10.29');
    await expect(find(old)).rejects.toMatchObject({ code: 'embedded_unavailable', path: old });
    await expect(find(join(dir, 'nothing'))).rejects.toMatchObject({ code: 'embedded_unavailable' });
  });
});

describe('installing a NATS server', () => {
  it('tries all installers and reports progress', async () => {
    const progress: string[] = [];
    const installed = await installNatsServer({
      stateDir: dir,
      onProgress: (message) => progress.push(message),
      installers: [
        { name: 'failing installer', install: () => Promise.reject(new Error('no route')) },
        { name: 'working installer', install: (binary) => program(binary, '2.15.2').then(() => 42) },
      ],
    });
    expect(installed).toEqual({ binary: installedNats(dir), version: '2.15.2', source: 'installed', bytes: 42 });
    expect(progress).toContain('NATS server: failing installer: no route');
  });

  it('says that Go is missing', async () => {
    const path = process.env.PATH;
    const goInstall = NATS_INSTALLERS.find(({ name }) => name.startsWith('go install'));
    process.env.PATH = dir;
    try {
      await expect(goInstall?.install(join(dir, 'bin', 'nats-server'))).rejects.toThrow(/^Go is not on the PATH$/);
    } finally {
      process.env.PATH = path;
    }
  });

  it('fails with one error that names three solutions', async () => {
    const installers = [{ name: 'failing installer', install: () => Promise.reject(new Error('no route')) }];
    const failure = installNatsServer({ stateDir: dir, installers });
    await expect(failure).rejects.toMatchObject({ code: 'embedded_unavailable' });
    await expect(failure).rejects.toMatchObject({ hint: expect.stringMatching(/PATH.*Go.*REINS_NATS_URL/s) });
  });

  it('rejects an archive whose checksum does not match, and a platform without a checksum', async () => {
    const download = async () => new TextEncoder().encode('something else');
    const binary = installedNats(dir);
    await expect(installRelease(binary, { platform: 'linux-x64', download })).rejects.toThrow(/checksum mismatch/);
    await expect(installRelease(binary, { platform: 'plan9-mips', download })).rejects.toThrow(
      /no pinned release archive/,
    );
    expect(await find()).toBeUndefined();
  });
});
