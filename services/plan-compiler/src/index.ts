import { workerDurable } from '@reins/bus';
import { answerDeadLetters, type ServiceDefinition } from '@reins/service-kit';
import { PlanCompilerModule } from './plan-compiler.module.ts';

/** The number of concurrent compilations. Each reads a few files and needs little CPU. */
const CONCURRENCY = 16;

/** The service that compiles workspaces. */
export const planCompiler: ServiceDefinition = {
  name: 'plan-compiler',
  module: PlanCompilerModule,
  consumers: ({ bus }) => [
    {
      stream: 'EVENTS',
      durable: workerDurable('runtime.plan.requested'),
      concurrency: CONCURRENCY,
      onDead: answerDeadLetters(bus, 'runtime.plan.rejected', (error) => ({
        diagnostics: [{ severity: 'error' as const, ...error }],
      })),
    },
  ],
};
