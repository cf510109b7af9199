import { fatalLine, isReinsError, problemOf } from '@reins/contracts';
import { processSettings } from '../settings/process-settings.ts';
import type { RunningService, ServiceDefinition } from './service-definition.ts';
import { startService } from './start-service.ts';

/** Time after which an unfinished stop ends the process. */
export const STOP_DEADLINE_MS = 30_000;

/**
 * Runs a service process: reads the settings, starts the service, and stops it on SIGTERM or SIGINT. Several
 * definitions run several services in one process. The exit code is 0 after a graceful stop, and 1 when the start or
 * the stop failed.
 */
export async function runService(...definitions: readonly ServiceDefinition[]): Promise<void> {
  const running: RunningService[] = [];
  let stopping = false;
  const end = (code: number) => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), STOP_DEADLINE_MS).unref();
    Promise.all(running.map((service) => service.stop())).then(
      () => process.exit(code),
      (error) => fail(error),
    );
  };
  process.once('SIGTERM', () => end(Number(process.exitCode ?? 0)));
  process.once('SIGINT', () => end(0));
  try {
    const settings = processSettings();
    for (const definition of definitions) {
      if (stopping) return;
      running.push(await startService(definition, settings));
    }
  } catch (error) {
    report(error);
    end(1);
  }
}

function fail(error: unknown): never {
  report(error);
  process.exit(1);
}

function report(error: unknown): void {
  const problems = isReinsError(error) ? error.problems : [problemOf(error)];
  process.stderr.write(problems.map((problem) => `${fatalLine('reins', problem)}\n`).join(''));
  if (!isReinsError(error) && error instanceof Error) process.stderr.write(`${error.stack}\n`);
}
