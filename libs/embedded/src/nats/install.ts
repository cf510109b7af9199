import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { ReinsError } from '@reins/contracts';
import { errnoOf, messageOf } from '../errno.ts';
import { NATS_MINIMUM_VERSION, NATS_VERSION } from '../versions.ts';
import { type FoundNats, installedNats, versionOf } from './find.ts';
import { installRelease } from './release.ts';

const run = promisify(execFile);

/** One way to install a server. Installs it as `binary` and returns the number of downloaded bytes, if known. */
export interface NatsInstaller {
  readonly name: string;
  install(binary: string): Promise<number | undefined>;
}

export interface InstallNatsOptions {
  readonly stateDir: string;
  /** Receives progress messages to show to users. */
  readonly onProgress?: (message: string) => void;
  /** Default: the release archive, then `go install`. */
  readonly installers?: readonly NatsInstaller[];
}

export interface InstalledNats extends FoundNats {
  /** Downloaded bytes; undefined if the installer does not report them. */
  readonly bytes: number | undefined;
}

const GO_MODULE = `github.com/nats-io/nats-server/v2@v${NATS_VERSION}`;

export const NATS_INSTALLERS: readonly NatsInstaller[] = [
  { name: 'official release archive', install: (binary) => installRelease(binary) },
  { name: `go install ${GO_MODULE}`, install: goInstall },
];

/**
 * Installs a server in the state folder, with the first installer that succeeds.
 * @throws ReinsError `embedded_unavailable` when all installers fail
 */
export async function installNatsServer(options: InstallNatsOptions): Promise<InstalledNats> {
  const binary = installedNats(options.stateDir);
  const failures: string[] = [];
  for (const installer of options.installers ?? NATS_INSTALLERS) {
    options.onProgress?.(`NATS server: ${installer.name} …`);
    try {
      const bytes = await installer.install(binary);
      const version = await versionOf(binary);
      if (!version) throw new Error('the installed server does not run');
      return { binary, version: version.join('.'), source: 'installed', bytes };
    } catch (error) {
      failures.push(`${installer.name}: ${firstLine(messageOf(error))}`);
      options.onProgress?.(`NATS server: ${failures.at(-1)}`);
    }
  }
  throw new ReinsError({
    code: 'embedded_unavailable',
    message: `no NATS server ${NATS_MINIMUM_VERSION} or newer was found, and none could be installed (${failures.join('; ')})`,
    path: binary,
    hint:
      'Do one of these: put nats-server on PATH, set REINS_NATS_SERVER, install Go, allow access to github.com, ' +
      'or set REINS_NATS_URL to an existing NATS server.',
  });
}

async function goInstall(binary: string): Promise<undefined> {
  const folder = dirname(binary);
  await mkdir(folder, { recursive: true });
  try {
    await run('go', ['install', GO_MODULE], { cwd: folder, env: { ...process.env, GOBIN: folder } });
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') throw new Error('Go is not on the PATH');
    const stderr = typeof error === 'object' && error !== null && 'stderr' in error ? String(error.stderr).trim() : '';
    throw new Error(stderr.split('\n').at(-1) || messageOf(error), { cause: error });
  }
}

const firstLine = (text: string): string => text.split('\n')[0] ?? '';
