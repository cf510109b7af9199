import { callsServedBy, listensOf } from './access.ts';
import { guestSubject, requestsOf } from './requests.ts';
import { inboxPrefixOf, isGuest, type NatsUser } from './users.ts';

/** Subjects as the configuration of a NATS server takes them. */
export interface NatsPermissions {
  readonly publish: { readonly allow: readonly string[] };
  readonly subscribe: { readonly allow: readonly string[] };
  /** The user may publish one response to each request that it receives. */
  readonly allow_responses?: true;
}

/**
 * What a user may publish and subscribe to. A service does what `accessOf` declares; only the control bus writes journals
 * and facts. The operator may do everything. The subscriber reads events and cannot change anything: it creates no
 * consumers, because an update of a worker's consumer would take its work away.
 */
export function natsPermissions(user: NatsUser, runtimeIds: readonly string[]): NatsPermissions {
  const requests = requestsOf(user, runtimeIds);
  if (!requests) return { publish: { allow: ['>'] }, subscribe: { allow: ['>'] } };
  // The subscriber is alone in its account, and the `nats` CLI has the common prefix.
  const inboxes = [`${inboxPrefixOf(user)}.>`, ...(user === 'subscriber' ? ['_INBOX.>'] : [])];
  const subjects = requests.map(({ subject }) => (isGuest(user) ? guestSubject(subject) : subject));
  const served = callsServedBy(user);
  const listens = [...listensOf(user), ...(served ? [served.subject] : [])];
  return {
    publish: { allow: subjects },
    subscribe: { allow: [...inboxes, ...listens] },
    ...(served && { allow_responses: true }),
  };
}
