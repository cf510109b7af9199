/**
 * Finds or installs, starts and stops the embedded NATS server and Postgres. Processes started here never outlive the
 * process that started them, even if it is killed.
 */
export * from './errno.ts';
export * from './nats/find.ts';
export * from './nats/install.ts';
export * from './nats/server.ts';
export * from './postgres/account.ts';
export { postgresVersion } from './postgres/binaries.ts';
export * from './postgres/cluster.ts';
export * from './postgres/database.ts';
export * from './postgres/server.ts';
export { followLines } from './processes/follow-lines.ts';
export * from './processes/free-port.ts';
export * from './processes/guarded-process.ts';
export { guardian } from './processes/guardian.ts';
export * from './versions.ts';
