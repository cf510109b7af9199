/** The users of an installation's NATS server. Nothing of Nest or of the settings is loaded for it. */
export { type BusIdentity, busIdentity, type NatsCredentials } from './bus-identity.ts';
export { inboxPrefixOf, NATS_USERS, type NatsPermissions, type NatsUser, natsPermissions } from './permissions.ts';
