import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { ReinsError } from '@reins/contracts';
import { isAtLeast, NATS_MINIMUM_VERSION, parseVersion, type Version } from '../versions.ts';

const run = promisify(execFile);

export interface FindNatsOptions {
  /** The state folder of the installation. An installed server is in its `bin`. */
  readonly stateDir: string;
  /** `REINS_NATS_SERVER`: set by the operator and never ignored silently. */
  readonly setting?: string | undefined;
  /** The PATH to search. */
  readonly path: string;
}

export interface FoundNats {
  readonly binary: string;
  readonly version: string;
  readonly source: 'setting' | 'path' | 'installed';
}

export const installedNats = (stateDir: string): string => join(stateDir, 'bin', 'nats-server');

/**
 * Finds a server in the setting, on PATH, or installed earlier. Returns undefined when none is new enough.
 * @throws ReinsError `embedded_unavailable` when the server in the setting does not run or is too old
 */
export async function findNatsServer(options: FindNatsOptions): Promise<FoundNats | undefined> {
  if (options.setting) return { ...(await fromSetting(options.setting)), source: 'setting' };
  for (const folder of options.path.split(delimiter).filter(Boolean)) {
    const found = await supportedServer(join(folder, 'nats-server'));
    if (found) return { ...found, source: 'path' };
  }
  const installed = await supportedServer(installedNats(options.stateDir));
  return installed && { ...installed, source: 'installed' };
}

async function fromSetting(binary: string): Promise<{ binary: string; version: string }> {
  const version = await versionOf(binary);
  const tooOld = version && !isNewEnough(version);
  if (version && !tooOld) return { binary, version: version.join('.') };
  throw new ReinsError({
    code: 'embedded_unavailable',
    message: tooOld
      ? `the NATS server in REINS_NATS_SERVER is ${version.join('.')}, older than ${NATS_MINIMUM_VERSION}`
      : 'REINS_NATS_SERVER is not a working NATS server',
    path: binary,
    hint: `Set REINS_NATS_SERVER to a nats-server ${NATS_MINIMUM_VERSION} or newer, or unset it.`,
  });
}

async function supportedServer(binary: string): Promise<{ binary: string; version: string } | undefined> {
  const version = await versionOf(binary);
  return version && isNewEnough(version) ? { binary, version: version.join('.') } : undefined;
}

const isNewEnough = (version: Version): boolean => isAtLeast(version, parseVersion(NATS_MINIMUM_VERSION) as Version);

/** Returns the version that `binary --version` prints, or undefined when it is not executable. */
export async function versionOf(binary: string): Promise<Version | undefined> {
  try {
    await access(binary, constants.X_OK);
    const { stdout } = await run(binary, ['--version'], { timeout: 10_000 });
    return parseVersion(stdout);
  } catch {
    return undefined;
  }
}
