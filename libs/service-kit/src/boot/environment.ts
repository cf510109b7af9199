import type { FactoryProvider } from '@nestjs/common';

/** The variables of a process, of which only named ones are ever looked at. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Injection token of the variables of this process: settings only name the secrets that stand there. */
export const ENVIRONMENT = Symbol.for('reins.environment');

/** Gives a service's module the variables of this process. Tests give theirs under the same token. */
export const processEnvironment: FactoryProvider<Environment> = { provide: ENVIRONMENT, useFactory: () => process.env };
