/** The variables of a process, of which only named ones are ever looked at. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Injection token of the variables of this process. */
export const ENVIRONMENT = Symbol.for('reins.runner-prep.environment');

/** The one place of the service that reads its environment: what the settings name as secret there must not be stored. */
export const processEnvironment = (): Environment => process.env;
