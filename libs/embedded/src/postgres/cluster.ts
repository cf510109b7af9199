import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ReinsError } from '@reins/contracts';
import { messageOf } from '../errno.ts';
import type { Account } from './account.ts';
import { exists, type PostgresBinaries, renameUnlessThere } from './binaries.ts';

const run = promisify(execFile);

/** The superuser of an embedded cluster. */
export const POSTGRES_USER = 'reins';

/** What lies in the folder of a cluster. */
export const clusterPaths = (dir: string) => ({
  data: join(dir, 'data'),
  password: join(dir, 'data', 'reins-password'),
});

export interface CreateClusterOptions {
  readonly binaries: PostgresBinaries;
  readonly account: Account | undefined;
  /** A folder that the account can reach. */
  readonly dir: string;
}

/** Makes the cluster of `dir` where there is none. It is whole or not there: a start that was killed half way leaves a draft. */
export async function ensureCluster(options: CreateClusterOptions): Promise<void> {
  await makeOnce(options, (draft) => initialise(draft, options));
}

/** Makes the cluster of `dir`, where there is none, as a copy of the one in `template`; that is made first where there is none. */
export async function ensureCopy(options: CreateClusterOptions, template: string): Promise<void> {
  await ensureCluster({ ...options, dir: template });
  await makeOnce(options, async (draft) => {
    await run('cp', ['-Rp', clusterPaths(template).data, draft]); // owners and modes included, which Postgres insists on
  });
}

async function makeOnce(options: CreateClusterOptions, make: (draft: string) => Promise<void>): Promise<void> {
  const { data } = clusterPaths(options.dir);
  if (await exists(data)) return;
  const draft = await mkdtemp(join(options.dir, 'draft-'));
  try {
    if (options.account) await chown(draft, options.account.uid, options.account.gid);
    await make(draft);
    await renameUnlessThere(join(draft, 'data'), data);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** The superuser's password: made with the cluster, kept where only its owner reads it. */
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
  // The password is 192 random bits: iterations against guessing would only cost time on each connection.
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
