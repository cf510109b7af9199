import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { ReinsError } from '@reins/contracts';
import { messageOf } from '../errno.ts';
import { NATS_MINIMUM_VERSION, NATS_VERSION } from '../versions.ts';
import { type FoundNats, installedNats, versionOf } from './find.ts';
import { installRelease } from './release.ts';

const run = promisify(execFile);

/** One way to get a server: puts it at `binary` and tells how many bytes that took, as far as it knows. */
export interface NatsInstaller {
  readonly name: string;
  install(binary: string): Promise<number | undefined>;
}

export interface InstallNatsOptions {
  readonly stateDir: string;
  /** What goes on, for people. */
  readonly onProgress?: (message: string) => void;
  /** Default: the release archive, then `go install`. */
  readonly installers?: readonly NatsInstaller[];
}

export interface InstalledNats extends FoundNats {
  /** Undefined where the way to get it does not tell. */
  readonly bytes: number | undefined;
}

const GO_MODULE = `github.com/nats-io/nats-server/v2@v${NATS_VERSION}`;

export const NATS_INSTALLERS: readonly NatsInstaller[] = [
  { name: 'official release archive', install: (binary) => installRelease(binary) },
  { name: `go install ${GO_MODULE}`, install: goInstall },
];

/** Installs a server under the state folder, trying one way after the other. */
export async function installNatsServer(options: InstallNatsOptions): Promise<InstalledNats> {
  const binary = installedNats(options.stateDir);
  const failures: string[] = [];
  for (const installer of options.installers ?? NATS_INSTALLERS) {
    options.onProgress?.(`NATS server: ${installer.name} …`);
    try {
      const bytes = await installer.install(binary);
      const version = await versionOf(binary);
      if (!version) throw new Error('what was installed does not run');
      return { binary, version: version.join('.'), source: 'installed', bytes };
    } catch (error) {
      failures.push(`${installer.name}: ${firstLine(messageOf(error))}`);
      options.onProgress?.(`NATS server: ${failures.at(-1)}`);
    }
  }
  throw new ReinsError({
    code: 'embedded_unavailable',
    message: `no NATS server of ${NATS_MINIMUM_VERSION} or newer is here, and none could be installed (${failures.join('; ')})`,
    path: binary,
    hint:
      'one of three: put a nats-server on PATH or name it in REINS_NATS_SERVER; install Go, or open the way to github.com; ' +
      'or point REINS_NATS_URL at a NATS server that runs elsewhere',
  });
}

async function goInstall(binary: string): Promise<undefined> {
  const folder = dirname(binary);
  await mkdir(folder, { recursive: true });
  try {
    await run('go', ['install', GO_MODULE], { cwd: folder, env: { ...process.env, GOBIN: folder } });
  } catch (error) {
    const stderr = typeof error === 'object' && error !== null && 'stderr' in error ? String(error.stderr).trim() : '';
    throw new Error(stderr.split('\n').at(-1) || messageOf(error), { cause: error });
  }
}

const firstLine = (text: string): string => text.split('\n')[0] ?? '';
