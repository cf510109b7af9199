import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BusSettings } from '@reins/bus';
import { ReinsError } from '@reins/contracts';
import type { NatsSettings } from '../settings/settings.ts';
import { hasWorkers } from './requests.ts';
import { GUEST_API, inboxPrefixOf, isGuest, type NatsUser, readerNamesOf } from './users.ts';

/** The settings that say who a client of NATS is. */
export type NatsCredentials = Pick<NatsSettings, 'user' | 'password' | 'token' | 'credentials' | 'usersDir'> &
  Partial<Pick<NatsSettings, 'managed'>>;

/** How to connect to NATS: the authentication, the prefix of the subjects that replies come on, the names of readers. */
export type BusIdentity = Pick<BusSettings, 'auth' | 'inboxPrefix' | 'apiPrefix' | 'readerNames'>;

/**
 * The identity of `user` at the NATS server of these settings; empty when the server needs none.
 * `nats.usersDir` wins over credentials, these over a token, and a token over user and password.
 * @throws ReinsError `settings_invalid` when `nats.usersDir` holds no readable seed of the user
 */
export function busIdentity(nats: NatsCredentials, user: NatsUser): BusIdentity {
  const { credentials, token, password, usersDir, managed } = nats;
  if (usersDir) {
    const identity = { auth: { nkeySeed: readSeed(usersDir, user) }, inboxPrefix: inboxPrefixOf(user) };
    // Other servers have one account for all users.
    return managed === 'supervisor' && isGuest(user) ? { ...identity, ...guestAccess(user) } : identity;
  }
  if (credentials) return { auth: { credentials } };
  if (token) return { auth: { token } };
  return nats.user && password !== undefined ? { auth: { user: nats.user, password } } : {};
}

const guestAccess = (user: NatsUser): Pick<BusIdentity, 'apiPrefix' | 'readerNames'> => ({
  apiPrefix: GUEST_API,
  readerNames: (stream) => (hasWorkers(stream) ? readerNamesOf(user) : undefined),
});

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
