/** Starts NATS, Postgres and the services as one system, restarts failed parts, and leaves no process behind. */
export * from './api.ts';
export { type NatsUsers, provideNatsUsers } from './nats-users.ts';
export { type RunFile, readRunFile, stoppingParts, stopSystem } from './run-file.ts';
export * from './services.ts';
export * from './signals.ts';
export { startSystem } from './system.ts';
