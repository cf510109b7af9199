/**
 * The real parts that Reins brings along: finds or installs, starts and ends the NATS server and Postgres.
 * Whatever is started here never outlives the process that started it, even when that is killed.
 */
export * from './errno.ts';
export * from './nats/find.ts';
export * from './nats/install.ts';
export * from './nats/server.ts';
export * from './postgres/account.ts';
export { checkPostgres } from './postgres/binaries.ts';
export * from './postgres/cluster.ts';
export * from './postgres/database.ts';
export * from './postgres/server.ts';
export * from './processes/free-port.ts';
export * from './processes/guarded-process.ts';
export { guardian } from './processes/guardian.ts';
export * from './versions.ts';
