import { callsServedBy, listensOf, OWN_EVENTS, SERVED_CALLS } from './access.ts';
import { type NatsPermissions, natsPermissions } from './permissions.ts';
import { guestSubject, requestsOf } from './requests.ts';
import { isGuest, NATS_USERS, type NatsUser, TRUSTED_USERS } from './users.ts';

/** The account that has the streams. */
export const STREAMS_ACCOUNT = 'REINS';

interface Account {
  readonly jetstream?: 'enabled';
  readonly users: readonly { readonly nkey: string; readonly permissions: NatsPermissions }[];
  readonly exports?: readonly object[];
  readonly imports?: readonly object[];
}

/**
 * The accounts of an installation as a NATS configuration takes them. Everyone who is not trusted has an account of its
 * own, which imports only the subjects that this user publishes on. A reply stays in the account of the request.
 * @param publicKeyOf the NKey of a user
 */
export function natsAccounts(
  publicKeyOf: (user: NatsUser) => string,
  runtimeIds: readonly string[],
): Readonly<Record<string, Account>> {
  const userOf = (user: NatsUser) => ({ nkey: publicKeyOf(user), permissions: natsPermissions(user, runtimeIds) });
  const guests = NATS_USERS.filter(isGuest);
  return {
    [STREAMS_ACCOUNT]: {
      jetstream: 'enabled',
      users: TRUSTED_USERS.map(userOf),
      exports: [...servicesFor(guests, runtimeIds), ...guests.flatMap((user) => streamsFor(listensOf(user), user))],
    },
    ...Object.fromEntries(
      guests.map((user) => [
        user,
        { users: [userOf(user)], exports: exportsOf(user), imports: importsOf(user, runtimeIds) },
      ]),
    ),
  };
}

/** One export for each subject, for all users that request it. */
function servicesFor(guests: readonly NatsUser[], runtimeIds: readonly string[]): object[] {
  const requests = guests.flatMap((user) =>
    (requestsOf(user, runtimeIds) ?? [])
      .filter(({ subject }) => accountOf(subject) === STREAMS_ACCOUNT)
      .map(({ subject, replies }) => ({ user, subject, replies })),
  );
  return [...Map.groupBy(requests, ({ subject }) => subject)].map(([subject, same]) => ({
    service: subject,
    response_type: same[0]?.replies === 'many' ? 'stream' : 'singleton',
    accounts: same.map(({ user }) => user),
  }));
}

/** A message that another account has imported as a service is not exported again, so its publisher exports it too. */
const ownEventsOf = (user: NatsUser): object[] =>
  user in OWN_EVENTS ? streamsFor(OWN_EVENTS[user as keyof typeof OWN_EVENTS], 'subscriber') : [];

function exportsOf(user: NatsUser): object[] {
  const served = callsServedBy(user);
  const calls = served ? [{ service: served.subject, response_type: 'singleton', accounts: served.callers }] : [];
  return [...ownEventsOf(user), ...calls];
}

const streamsFor = (subjects: readonly string[], user: NatsUser): object[] =>
  subjects.map((stream) => ({ stream, accounts: [user] }));

/** The account that responds to a request. */
const accountOf = (subject: string): string =>
  Object.entries(SERVED_CALLS).find(([, served]) => served.subject === subject)?.[0] ?? STREAMS_ACCOUNT;

function importsOf(user: NatsUser, runtimeIds: readonly string[]): object[] {
  const services = (requestsOf(user, runtimeIds) ?? []).map(({ subject }) => ({
    service: { account: accountOf(subject), subject },
    to: guestSubject(subject),
  }));
  const listens = listensOf(user).map((subject) => ({ stream: { account: STREAMS_ACCOUNT, subject } }));
  return [...services, ...listens, ...(user === 'subscriber' ? OWN_EVENT_IMPORTS : [])];
}

const OWN_EVENT_IMPORTS: readonly object[] = Object.entries(OWN_EVENTS).flatMap(([account, subjects]) =>
  subjects.map((subject) => ({ stream: { account, subject } })),
);
