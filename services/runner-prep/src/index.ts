import type { ServiceDefinition } from '@reins/service-kit';
import { RunnerPrepModule } from './runner-prep.module.ts';

/** The service that prepares stages. */
export const runnerPrep: ServiceDefinition = { name: 'runner-prep', module: RunnerPrepModule };
