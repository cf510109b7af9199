/** What tests share: the embedded NATS and Postgres, and small helpers. Never imported by what runs in production. */
export { freePort } from '@reins/embedded';
export * from './nats.ts';
export * from './nats-cluster.ts';
export * from './postgres.ts';
export * from './repeats.ts';
export * from './repository.ts';
export * from './temp-dir.ts';
export * from './until.ts';
