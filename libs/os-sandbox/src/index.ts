/** Starts child processes behind a wall of the operating system, and says what the wall of this host lacks. */
export { launch } from './launch.ts';
export { type LaunchOptions, launchBehind } from './launch-behind.ts';
export { probe, requireWall, tryBubblewrap, tryLandlock } from './probe.ts';
export { systemLibraries } from './system-libraries.ts';
export type { Backend, Lack, Wall } from './wall.ts';
