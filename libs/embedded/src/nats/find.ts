import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { ReinsError } from '@reins/contracts';
import { isAtLeast, NATS_MINIMUM_VERSION, parseVersion, type Version } from '../versions.ts';

const run = promisify(execFile);

export interface FindNatsOptions {
  /** The installation's state folder; its `bin` is where an installed server lies. */
  readonly stateDir: string;
  /** `REINS_NATS_SERVER`: the operator's word, which is never passed over in silence. */
  readonly setting?: string;
  /** The PATH to search. */
  readonly path: string;
}

export interface FoundNats {
  readonly binary: string;
  readonly version: string;
  readonly source: 'setting' | 'path' | 'installed';
}

export const installedNats = (stateDir: string): string => join(stateDir, 'bin', 'nats-server');

/** The server to use: of the setting, of PATH, or installed earlier; undefined when there is none that is new enough. */
export async function findNatsServer(options: FindNatsOptions): Promise<FoundNats | undefined> {
  if (options.setting) return { ...(await ofSetting(options.setting)), source: 'setting' };
  for (const folder of options.path.split(delimiter).filter(Boolean)) {
    const found = await usable(join(folder, 'nats-server'));
    if (found) return { ...found, source: 'path' };
  }
  const installed = await usable(installedNats(options.stateDir));
  return installed && { ...installed, source: 'installed' };
}

async function ofSetting(binary: string): Promise<{ binary: string; version: string }> {
  const version = await versionOf(binary);
  const tooOld = version && !isNewEnough(version);
  if (version && !tooOld) return { binary, version: version.join('.') };
  throw new ReinsError({
    code: 'embedded_unavailable',
    message: tooOld
      ? `the NATS server of REINS_NATS_SERVER is ${version.join('.')}, older than ${NATS_MINIMUM_VERSION}`
      : 'REINS_NATS_SERVER does not name a NATS server that runs',
    path: binary,
    hint: `name a nats-server of ${NATS_MINIMUM_VERSION} or newer, or unset REINS_NATS_SERVER`,
  });
}

async function usable(binary: string): Promise<{ binary: string; version: string } | undefined> {
  const version = await versionOf(binary);
  return version && isNewEnough(version) ? { binary, version: version.join('.') } : undefined;
}

const isNewEnough = (version: Version): boolean => isAtLeast(version, parseVersion(NATS_MINIMUM_VERSION) as Version);

/** What `binary --version` says, or undefined when there is no such program. */
export async function versionOf(binary: string): Promise<Version | undefined> {
  try {
    await access(binary, constants.X_OK);
    const { stdout } = await run(binary, ['--version'], { timeout: 10_000 });
    return parseVersion(stdout);
  } catch {
    return undefined;
  }
}
