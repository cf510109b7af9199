import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, chown, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ReinsError } from '@reins/contracts';

const run = promisify(execFile);

/** The account that Postgres runs under. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Postgres refuses to run as root, so root hands it to another account of the machine; undefined means "as we are".
 * `postgres` where there is one, because nothing else uses it, or else `nobody`.
 */
export async function postgresAccount(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = parsePasswd(await readFile('/etc/passwd', 'utf8'));
  const account = accounts.get('postgres') ?? accounts.get('nobody');
  if (account) return account;
  throw new ReinsError({
    code: 'embedded_unavailable',
    message: 'Postgres does not run as root, and there is neither an account `postgres` nor `nobody` to run it as',
    path: '/etc/passwd',
    hint: 'start Reins as another user, or point REINS_DATABASE_URL at a Postgres of your own',
  });
}

/** The accounts of a passwd file that are not root. */
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

/** Whether `account` may use what lies in `folder`: a checkout in root's home, for instance, is closed to everybody else. */
export async function canReach(folder: string, account: Account | undefined): Promise<boolean> {
  try {
    await run('/bin/sh', ['-c', 'cd "$1" && test -r . && test -x .', 'sh', folder], { cwd: '/', ...account });
    return true;
  } catch {
    return false;
  }
}

/** Where root keeps what another account must reach when the folder that was asked for is closed to it. */
const ROOT_STATE = '/var/lib/reins';

/** `wanted` where the account can reach it, and a place of its own under /var/lib/reins where it cannot. Made if missing. */
export async function reachableFolder(wanted: string, account: Account | undefined): Promise<string> {
  await mkdir(wanted, { recursive: true });
  const place = (await canReach(dirname(wanted), account)) ? wanted : elsewhere(wanted);
  await mkdir(place, { recursive: true });
  if (place !== wanted) await chmod(ROOT_STATE, 0o755); // whatever the umask is
  if (account) await chown(place, account.uid, account.gid);
  return place;
}

const elsewhere = (wanted: string): string =>
  join(ROOT_STATE, createHash('sha256').update(wanted).digest('hex').slice(0, 16));
