import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createUser, fromSeed } from '@nats-io/nkeys';
import { type BusIdentity, busIdentity, NATS_USERS, type NatsUser, natsAccounts } from '@reins/service-kit/nats-users';

/** The users of an embedded NATS server. */
export interface NatsUsers {
  /** The folder that holds the seed of each user, `<user>.nk`; only the account that runs the system can read it. */
  readonly dir: string;
  /** The lines of NATS configuration that admit these users and no one else. */
  readonly config: string;
}

/**
 * Reads the users of the installation, and creates those that are missing. Seeds never change, so clients can
 * reconnect after the server restarts. The server's configuration holds public keys only.
 * @param runtimeIds the runtimes whose stages the harness host may take
 */
export async function provideNatsUsers(stateDir: string, runtimeIds: readonly string[]): Promise<NatsUsers> {
  const dir = join(stateDir, 'run', 'nats');
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await chmod(dir, 0o700);
  const keys = new Map<NatsUser, string>();
  for (const user of NATS_USERS) keys.set(user, publicKeyOf(await seedOf(join(dir, `${user}.nk`))));
  const accounts = natsAccounts((user) => keys.get(user) as string, runtimeIds);
  // A busy machine may take longer than the default of two seconds to answer the server's challenge.
  const config = `authorization { timeout: 30 }\naccounts: ${JSON.stringify(accounts, null, 1)}`;
  return { dir, config };
}

/** How to connect as the operator. */
export const operatorOf = ({ dir }: NatsUsers): BusIdentity => busIdentity({ usersDir: dir }, 'operator');

const publicKeyOf = (seed: string): string => fromSeed(new TextEncoder().encode(seed)).getPublicKey();

async function seedOf(file: string): Promise<string> {
  const known = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (known !== undefined) return known.trim();
  const seed = new TextDecoder().decode(createUser().getSeed());
  await writeFile(file, `${seed}\n`, { mode: 0o600, flag: 'wx' });
  return seed;
}
