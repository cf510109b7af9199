import type { Environment } from './secrets/secret-book.ts';

/** Injection token of the variables of this process. Only what the settings name is looked up in them, and PATH. */
export const ENVIRONMENT = Symbol.for('reins.harness-host.environment');

/** The one place of the host that reads its environment: secrets live there, and settings only name them. */
export const processEnvironment = (): Environment => process.env;
