/** Shared by tests: embedded NATS and Postgres, and small helpers. Production code never imports it. */
export { freePort } from '@reins/embedded';
export * from './nats.ts';
export * from './nats-cluster.ts';
export * from './postgres.ts';
export * from './repeats.ts';
export * from './repository.ts';
export * from './temp-dir.ts';
export * from './until.ts';
