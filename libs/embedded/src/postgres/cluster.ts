import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ReinsError } from '@reins/contracts';
import { messageOf } from '../errno.ts';
import type { Account } from './account.ts';
import { exists, type PostgresBinaries, renameUnlessExists } from './binaries.ts';

const run = promisify(execFile);

/** The superuser of an embedded cluster. */
export const POSTGRES_USER = 'reins';

/** Paths in the folder of a cluster. */
export const clusterPaths = (dir: string) => ({
  data: join(dir, 'data'),
  password: join(dir, 'data', 'reins-password'),
});

export interface CreateClusterOptions {
  readonly binaries: PostgresBinaries;
  readonly account: Account | undefined;
  /** A folder that the account can access. */
  readonly dir: string;
}

/**
 * Creates the cluster in `dir` if it does not exist. A cluster is moved into place when complete; an interrupted start
 * leaves a draft folder.
 */
export async function ensureCluster(options: CreateClusterOptions): Promise<void> {
  await makeOnce(options, (draft) => initialise(draft, options));
}

/**
 * Creates the cluster in `dir`, if it does not exist, as a copy of the one in `template`, which is created first if
 * necessary.
 */
export async function ensureCopy(options: CreateClusterOptions, template: string): Promise<void> {
  await ensureCluster({ ...options, dir: template });
  await makeOnce(options, async (draft) => {
    await run('cp', ['-Rp', clusterPaths(template).data, draft]); // keeps owners and modes, which Postgres requires
  });
}

async function makeOnce(options: CreateClusterOptions, make: (draft: string) => Promise<void>): Promise<void> {
  const { data } = clusterPaths(options.dir);
  if (await exists(data)) return;
  const draft = await mkdtemp(join(options.dir, 'draft-'));
  try {
    if (options.account) await chown(draft, options.account.uid, options.account.gid);
    await make(draft);
    await renameUnlessExists(join(draft, 'data'), data);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Reads the superuser's password, which is created with the cluster and readable only by its owner. */
export async function clusterPassword(dir: string): Promise<string> {
  return (await readFile(clusterPaths(dir).password, 'utf8')).trim();
}

async function initialise(draft: string, { binaries, account }: CreateClusterOptions): Promise<void> {
  const passwordFile = join(draft, 'password');
  const password = randomBytes(24).toString('hex');
  await writePrivate(passwordFile, password, account);
  const data = join(draft, 'data');
  await mkdir(data, { mode: 0o700 });
  if (account) await chown(data, account.uid, account.gid);
  try {
    await run(binaries.initdb, initdbArguments(data, passwordFile), { cwd: draft, ...account });
  } catch (cause) {
    throw new ReinsError(
      { code: 'embedded_start_failed', message: `initdb failed: ${messageOf(cause)}`, path: data },
      { cause },
    );
  }
  await writePrivate(clusterPaths(draft).password, password, account);
}

const initdbArguments = (data: string, passwordFile: string): string[] => [
  `--pgdata=${data}`,
  `--username=${POSTGRES_USER}`,
  `--pwfile=${passwordFile}`,
  '--auth=scram-sha-256',
  // The password has 192 random bits: iterations would only slow down each connection.
  '--set=scram_iterations=1',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--wal-segsize=4',
  '--no-instructions',
];

async function writePrivate(file: string, text: string, account: Account | undefined): Promise<void> {
  await writeFile(file, `${text}\n`, { mode: 0o600 });
  if (account) await chown(file, account.uid, account.gid);
}
