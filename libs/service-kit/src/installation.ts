/** What commands share with the services of an installation: their names, its settings, its keys and its trees. Nest is not loaded for it. */
export { SERVICE_NAMES, type ServiceName } from './boot/service-definition.ts';
export { type RunningProfile, readRunningProfile } from './harnesses/running-profile.ts';
export { newApiKey, parseApiKey } from './keys/api-key.ts';
export { type BusIdentity, busIdentity } from './nats-users/bus-identity.ts';
export { processSettings } from './settings/process-settings.ts';
export type { DatabaseSettings, Settings } from './settings/settings.ts';
export { openTrees } from './trees.ts';
