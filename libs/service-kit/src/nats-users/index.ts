/** The users of an installation's NATS server. Nothing of Nest or of the settings is loaded for it. */
export { type BusIdentity, busIdentity } from './bus-identity.ts';
export { NATS_USERS, type NatsUser, natsPermissions } from './permissions.ts';
