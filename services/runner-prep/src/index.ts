import { workerDurable } from '@reins/bus';
import { answerDeadLetters, type ServiceDefinition } from '@reins/service-kit';
import { RunnerPrepModule } from './runner-prep.module.ts';

/** The number of concurrent preparations. Each needs little CPU and two small uploads. */
const CONCURRENCY = 32;

/** The service that prepares stages. */
export const runnerPrep: ServiceDefinition = {
  name: 'runner-prep',
  module: RunnerPrepModule,
  consumers: ({ bus }) => [
    {
      stream: 'EVENTS',
      durable: workerDurable('runtime.prepare.requested'),
      concurrency: CONCURRENCY,
      onDead: answerDeadLetters(bus, 'runtime.prepare.failed', (error) => ({ error })),
    },
  ],
};
