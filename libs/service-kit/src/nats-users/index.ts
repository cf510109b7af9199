/** The users of an installation's NATS server. Nothing of Nest or of the settings is loaded for it. */
export { natsAccounts, STREAMS_ACCOUNT } from './accounts.ts';
export { type BusIdentity, busIdentity } from './bus-identity.ts';
export { inboxPrefixOf, NATS_USERS, type NatsUser } from './users.ts';
