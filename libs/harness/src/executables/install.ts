import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ReinsError } from '@reins/contracts';
import type { InstallableRuntime, NpmRuntime, PlatformPackage } from './catalog.ts';
import { downloadPackage } from './download.ts';
import {
  type InstallationRecord,
  type InstalledRuntime,
  installedRuntime,
  RECORD,
  versionFolder,
} from './installed.ts';
import { installPython } from './python-environment.ts';
import { unpackFiles } from './unpack.ts';

export interface InstallOptions {
  /** The folder for all runtimes, such as `.reins/harnesses`. */
  readonly dir: string;
  readonly runtime: InstallableRuntime;
  /** Another version than the tested one. Its integrity is that of the registry. */
  readonly version?: string;
  /** Receives progress messages to show to users. */
  readonly onProgress?: (message: string) => void;
  /** The platform to install for. Default: this one. */
  readonly platform?: string;
  /** The environment of npm. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** An installed executable, and the bytes of the downloaded package: 0 if it was installed before. */
export interface Installation extends InstalledRuntime {
  readonly downloaded: number;
}

const VERSION = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/;

/**
 * Installs the executable of a runtime from its registry, in place of another version. The packages of the tested version
 * must have the hashes that this release knows.
 * @throws ReinsError `harness_install_failed`
 */
export async function installRuntime(options: InstallOptions): Promise<Installation> {
  const { dir, runtime, version = runtime.version, onProgress = () => undefined } = options;
  const { runtimeId } = runtime;
  if (runtime.registry === 'npm') platformOf(runtime, options);
  if (!VERSION.test(version))
    throw failed(
      `${JSON.stringify(version)} is not a version of ${runtimeId}`,
      `Use a version such as ${runtime.version}.`,
    );
  const before = installedRuntime(dir, runtimeId);
  if (before?.version === version && (await exists(before.executable))) return { ...before, downloaded: 0 };
  await mkdir(join(dir, runtimeId), { recursive: true });
  const draft = await mkdtemp(join(dir, runtimeId, 'draft-'));
  try {
    const unpacked = join(draft, 'files');
    const install = { ...options, version, draft, folder: unpacked, onProgress };
    const finalFolder = versionFolder(dir, runtimeId, version);
    const { downloaded, ...content } =
      runtime.registry === 'npm'
        ? await installNpm({ ...install, runtime })
        : { executable: runtime.program, ...(await installPython({ ...install, runtime, finalFolder })) };
    await replaceVersion({ dir, runtimeId, unpacked, record: { version, ...content } });
    return { ...(installedRuntime(dir, runtimeId) as InstalledRuntime), downloaded };
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

interface NpmInstall extends InstallOptions {
  readonly runtime: NpmRuntime;
  readonly version: string;
  readonly draft: string;
  readonly folder: string;
  readonly onProgress: (message: string) => void;
}

/** Downloads the package for the platform, and unpacks its files into the folder. */
async function installNpm(install: NpmInstall): Promise<Omit<InstallationRecord, 'version'> & { downloaded: number }> {
  const { runtime, version, draft, folder, environment, onProgress } = install;
  const platform = platformOf(runtime, install);
  const expected = version === runtime.version ? platform.integrity : undefined;
  const spec = `${runtime.package}@${version}${platform.suffix}`;
  const { file, integrity, bytes } = await downloadPackage({ spec, folder: draft, expected, environment, onProgress });
  onProgress(`${runtime.runtimeId} ${version}: unpacking`);
  const [executable, ...more] = runtime.files.map((path) => join(platform.folder, path)) as [string, ...string[]];
  const size = await unpackFiles(file, [executable, ...more], folder);
  return { integrity, bytes: size, executable, downloaded: bytes };
}

interface Replacement {
  readonly dir: string;
  readonly runtimeId: string;
  readonly unpacked: string;
  readonly record: InstallationRecord;
}

/** Puts the files in place, then names them in the record, then removes other versions. */
async function replaceVersion({ dir, runtimeId, unpacked, record }: Replacement): Promise<void> {
  const folder = versionFolder(dir, runtimeId, record.version);
  // A folder appears only when it is complete: another process has installed this version meanwhile.
  if (!(await exists(join(folder, record.executable)))) {
    await rm(folder, { recursive: true, force: true });
    await rename(unpacked, folder).catch(async (error) => {
      if (!(await exists(join(folder, record.executable)))) throw error;
    });
  }
  const path = join(dir, runtimeId, RECORD);
  await writeFile(`${path}.new`, `${JSON.stringify(record, null, 2)}\n`);
  await rename(`${path}.new`, path);
  const keep = new Set([record.version, RECORD]);
  const others = (await readdir(dirname(folder))).filter((name) => !keep.has(name) && !name.startsWith('draft-'));
  await Promise.all(others.map((name) => rm(join(dirname(folder), name), { recursive: true, force: true })));
}

function platformOf(runtime: NpmRuntime, options: InstallOptions): PlatformPackage {
  const { platform = `${process.platform}-${process.arch}` } = options;
  const found = Object.hasOwn(runtime.platforms, platform) ? runtime.platforms[platform] : undefined;
  if (found) return found;
  throw failed(
    `${runtime.runtimeId} cannot be installed on ${platform}`,
    `Set harness.${runtime.runtimeId}.command to an installed ${runtime.runtimeId}.`,
  );
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

const failed = (message: string, hint: string): ReinsError =>
  new ReinsError({ code: 'harness_install_failed', message, hint });
