import type { FactoryProvider } from '@nestjs/common';

/** The environment variables of a process. Only specific names are read. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Injection token of the process environment. Settings contain only the names of the variables that hold secrets. */
export const ENVIRONMENT = Symbol.for('reins.environment');

/** Provides the process environment to a service's module. Tests provide their own with the same token. */
export const processEnvironment: FactoryProvider<Environment> = { provide: ENVIRONMENT, useFactory: () => process.env };
