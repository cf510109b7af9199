/** Starts NATS, Postgres and the services as one system, restarts what dies, and leaves nothing behind. */
export * from './api.ts';
export { type RunFile, readRunFile } from './run-file.ts';
export * from './services.ts';
export * from './signals.ts';
export { startSystem } from './system.ts';
