import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, chown, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ReinsError } from '@reins/contracts';

const run = promisify(execFile);

/** The account that Postgres runs as. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Returns the account that Postgres runs as; undefined means the current user. Postgres does not run as root, so root
 * uses `postgres` if it exists, since nothing else uses that account, or else `nobody`.
 * @throws ReinsError `embedded_unavailable` when root has neither account
 */
export async function postgresAccount(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = parsePasswd(await readFile('/etc/passwd', 'utf8'));
  const account = accounts.get('postgres') ?? accounts.get('nobody');
  if (account) return account;
  throw new ReinsError({
    code: 'embedded_unavailable',
    message: 'Postgres does not run as root, and neither the account `postgres` nor `nobody` exists',
    path: '/etc/passwd',
    hint: 'Start Reins as another user, or set REINS_DATABASE_URL to an existing Postgres.',
  });
}

/** Parses the accounts of a passwd file, except root. */
export function parsePasswd(text: string): Map<string, Account> {
  const accounts = new Map<string, Account>();
  for (const line of text.split('\n')) {
    const [name, , uid, gid] = line.split(':');
    if (name && /^\d+$/.test(uid ?? '') && /^\d+$/.test(gid ?? '') && uid !== '0') {
      accounts.set(name, { uid: Number(uid), gid: Number(gid) });
    }
  }
  return accounts;
}

/** Whether the account can access the folder. A checkout in root's home, for example, is closed to other accounts. */
export async function canReach(folder: string, account: Account | undefined): Promise<boolean> {
  try {
    await run('/bin/sh', ['-c', 'cd "$1" && test -r . && test -x .', 'sh', folder], { cwd: '/', ...account });
    return true;
  } catch {
    return false;
  }
}

/** Location for files that another account must access when the requested folder is closed to it. */
const ROOT_STATE = '/var/lib/reins';

/**
 * Returns `wanted` if the account can access it, otherwise a folder under /var/lib/reins. Creates the folder if
 * necessary.
 */
export async function reachableFolder(wanted: string, account: Account | undefined): Promise<string> {
  await mkdir(wanted, { recursive: true });
  const folder = (await canReach(dirname(wanted), account)) ? wanted : fallbackFolder(wanted);
  await mkdir(folder, { recursive: true });
  if (folder !== wanted) await chmod(ROOT_STATE, 0o755); // independent of the umask
  if (account) await chown(folder, account.uid, account.gid);
  return folder;
}

const fallbackFolder = (wanted: string): string =>
  join(ROOT_STATE, createHash('sha256').update(wanted).digest('hex').slice(0, 16));
