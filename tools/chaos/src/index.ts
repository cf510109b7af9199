/** Kills and freezes the parts of a running system under load, then checks from the outside what was promised. */
export { type ChaosOptions, DEFAULT_OPTIONS } from './options.ts';
export { formatReport } from './report.ts';
export { type ChaosReport, runChaos } from './run-chaos.ts';
