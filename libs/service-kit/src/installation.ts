/**
 * What CLI commands share with the services of an installation: service names, settings, API keys and trees. Does not
 * load Nest.
 */
export { SERVICE_NAMES, type ServiceName } from './boot/service-definition.ts';
export { type RunningProfile, readRunningProfile } from './harnesses/running-profile.ts';
export { type RuntimeHealth, type StageRuntime, stageRuntimes } from './harnesses/stage-runtimes.ts';
export { newApiKey, parseApiKey } from './keys/api-key.ts';
export { type BusIdentity, busIdentity } from './nats-users/bus-identity.ts';
export { processSettings } from './settings/process-settings.ts';
export type { DatabaseSettings, Settings } from './settings/settings.ts';
export { type ManagedTopology, topologyOf } from './settings/topology.ts';
export { openTrees } from './trees.ts';
