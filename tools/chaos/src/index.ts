/** Kills and freezes parts of a running system under load, then checks its guarantees from outside. */
export { type ChaosOptions, DEFAULT_OPTIONS } from './options.ts';
export { formatReport } from './report.ts';
export { type ChaosReport, runChaos } from './run-chaos.ts';
