import { fatalLine } from '@reins/contracts';
import { nodeVersionProblem } from './node-version.ts';
import type { ServiceDefinition } from './service-definition.ts';

/**
 * The main function of a service process: `load` imports the definition. Nothing else is imported before the check of the
 * Node.js version, because an older Node cannot link the modules and would fail with a syntax error.
 */
export async function runMain(load: () => Promise<ServiceDefinition>): Promise<void> {
  const problem = nodeVersionProblem(process.version);
  if (problem) {
    process.stderr.write(`${fatalLine('reins', problem)}\n`);
    process.exitCode = 1;
    return;
  }
  const { runService } = await import('./run-service.ts');
  await runService(await load());
}
