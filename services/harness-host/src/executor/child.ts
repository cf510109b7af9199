import { BUILT_IN_ADAPTERS, createRegistry, type HarnessExecution, type HarnessRun } from '@reins/harness';
import type { FromExecutor, ToExecutor } from './messages.ts';

/**
 * The process of one stage run. It waits for its run, executes it through the adapter, sends the signals and the
 * result, and exits. When it loses its host, it cancels the run and exits.
 */
const registry = createRegistry(BUILT_IN_ADAPTERS);
/** The time limit for the shutdown of the adapter when the host is gone and cannot kill this process. */
const ORPHAN_EXIT_MS = 10_000;

let execution: HarnessExecution | undefined;

process.on('message', (message: ToExecutor) => {
  if (message.kind === 'run') void work(message.runtimeId, message.run);
  else execution?.cancel(message.reason);
});
process.once('disconnect', () => {
  setTimeout(() => process.exit(1), ORPHAN_EXIT_MS).unref();
  execution?.cancel('the host is gone');
  void Promise.resolve(execution?.result).then(() => process.exit(1));
});
send({ kind: 'ready' });

async function work(runtimeId: string, run: HarnessRun): Promise<void> {
  execution = registry.get(runtimeId).start(run, (signal) => send({ kind: 'signal', signal }));
  const result = await execution.result;
  send({ kind: 'result', result }, () => process.exit(0));
}

function send(message: FromExecutor, sent?: () => void): void {
  // A closed channel needs no message; the `disconnect` handler stops the run.
  if (process.connected) process.send?.(message, undefined, undefined, sent);
  else sent?.();
}
