import { SERVICE_NAMES, type ServiceName } from '../boot/service-definition.ts';

/** Who connects to NATS: each service, and two users for people. */
export const NATS_USERS = [...SERVICE_NAMES, 'operator', 'subscriber'] as const;
export type NatsUser = ServiceName | 'operator' | 'subscriber';

/**
 * The users in the account of the streams. NATS has no permission for the reply subject of a request, and the server
 * replies with its own rights. A user of this account can therefore write to every stream.
 */
export const TRUSTED_USERS: readonly NatsUser[] = ['control-bus', 'operator'];

/** A guest is a user in an account of its own. */
export const isGuest = (user: NatsUser): boolean => !TRUSTED_USERS.includes(user);

/** First tokens of the JetStream API in the account of a guest, where `$JS.API` is the API of that account itself. */
export const GUEST_API = 'REINS.API';

/** Each user has its own prefix, so that no other user can read the replies that it gets. */
export const inboxPrefixOf = (user: NatsUser): string => `_INBOX_${user}`;

/** How many consumers a user's readers may have on one stream, including those of a process that just crashed. */
const READERS = 16;

/** The names that the consumers of a user's readers may have. Other users cannot delete or change them. */
export const readerNamesOf = (user: NatsUser): readonly string[] =>
  Array.from({ length: READERS }, (_, number) => `reader-${user}-${number}`);
