import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject } from '@reins/contracts';

/** An installed executable. */
export interface InstalledRuntime {
  readonly runtimeId: string;
  readonly version: string;
  readonly integrity: string;
  /** The size of its files. */
  readonly bytes: number;
  /** The absolute path of the executable. */
  readonly executable: string;
  /** The absolute path of the folder with everything that it needs. */
  readonly folder: string;
}

/** The file that names the installed version. It is written last. */
export const RECORD = 'installed.json';

/** Where the files of a version are. */
export const versionFolder = (dir: string, runtimeId: string, version: string): string => join(dir, runtimeId, version);

/** What the record of an installation says. Paths are relative, so that the folder can be moved. */
export interface InstallationRecord {
  readonly version: string;
  readonly integrity: string;
  readonly bytes: number;
  /** Relative to the folder of the version. */
  readonly executable: string;
}

/** The installed executable of a runtime; undefined without one. `dir` is the folder for all runtimes. */
export function installedRuntime(dir: string, runtimeId: string): InstalledRuntime | undefined {
  const record = recordOf(join(dir, runtimeId, RECORD));
  if (record === undefined) return undefined;
  const { version, integrity, bytes, executable } = record;
  const folder = versionFolder(dir, runtimeId, version);
  return { runtimeId, version, integrity, bytes, folder, executable: join(folder, executable) };
}

/** Removes the executable of a runtime. Returns whether there was one. */
export async function removeRuntime(dir: string, runtimeId: string): Promise<boolean> {
  const existed = installedRuntime(dir, runtimeId) !== undefined;
  await rm(join(dir, runtimeId), { recursive: true, force: true });
  return existed;
}

function recordOf(path: string): InstallationRecord | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isObject(value) && typeof value.version === 'string' && typeof value.executable === 'string'
      ? (value as unknown as InstallationRecord)
      : undefined;
  } catch {
    return undefined;
  }
}
