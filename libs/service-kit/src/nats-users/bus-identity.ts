import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BusAuth } from '@reins/bus';
import { ReinsError } from '@reins/contracts';
import type { NatsSettings } from '../settings/settings.ts';
import { inboxPrefixOf, type NatsUser } from './permissions.ts';

/** The settings that say who a client of NATS is. */
export type NatsCredentials = Pick<NatsSettings, 'user' | 'password' | 'token' | 'credentials' | 'usersDir'>;

/** How to connect to NATS: the authentication, and the prefix of the subjects that replies come on. */
export interface BusIdentity {
  readonly auth?: BusAuth;
  readonly inboxPrefix?: string;
}

/**
 * The identity of `user` at the NATS server of these settings; empty when the server needs none.
 * `nats.usersDir` wins over credentials, these over a token, and a token over user and password.
 * @throws ReinsError `settings_invalid` when `nats.usersDir` holds no readable seed of the user
 */
export function busIdentity(nats: NatsCredentials, user: NatsUser): BusIdentity {
  const { credentials, token, password, usersDir } = nats;
  if (usersDir) return { auth: { nkeySeed: readSeed(usersDir, user) }, inboxPrefix: inboxPrefixOf(user) };
  if (credentials) return { auth: { credentials } };
  if (token) return { auth: { token } };
  return nats.user && password !== undefined ? { auth: { user: nats.user, password } } : {};
}

function readSeed(usersDir: string, user: NatsUser): string {
  const file = join(usersDir, `${user}.nk`);
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (cause) {
    throw new ReinsError(
      {
        code: 'settings_invalid',
        message: `nats.usersDir has no readable NKey seed for the user ${user}`,
        path: file,
        hint: 'Write the seed of the user into this file, or unset nats.usersDir.',
      },
      { cause },
    );
  }
}
