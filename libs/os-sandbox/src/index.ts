/**
 * Starts child processes in a sandbox of the operating system, and reports what the sandbox of this host is missing.
 */

export type { Door, Network, ServedPort } from './doors/door.ts';
export { type NetworkLimit, networkLimit } from './doors/network-limit.ts';
export type { Backend, Isolation, MissingIsolation } from './isolation.ts';
export { launch } from './launch.ts';
export { type LaunchOptions, launchIsolated } from './launch-isolated.ts';
export { probe, requireIsolation, tryBubblewrap, tryLandlock } from './probe.ts';
export { systemLibraries } from './system-libraries.ts';
