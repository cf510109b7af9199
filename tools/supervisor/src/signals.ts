import type { System } from './api.ts';

/** Stops the system on SIGINT and SIGTERM. A second signal exits immediately; the guardian process ends the remaining children. */
export function stopOnSignals(system: Pick<System, 'stop'>, stopped: (signal: NodeJS.Signals) => void): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) process.exit(1);
    stopping = true;
    void system.stop().finally(() => stopped(signal));
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
}
