import { BUILT_IN_ADAPTERS, createRegistry, type HarnessExecution, type HarnessRun } from '@reins/harness';
import type { FromExecutor, ToExecutor } from './messages.ts';

/**
 * The process of one stage run: waits for its work, does it through the adapter, tells signals and end, and is used up. Without
 * its host it stops what it does and goes.
 */
const registry = createRegistry(BUILT_IN_ADAPTERS);
/** What the way down of an adapter may take when nobody is there any more to end us by force. */
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
  // Without a channel there is nobody to tell; `disconnect` does what follows from that.
  if (process.connected) process.send?.(message, undefined, undefined, sent);
  else sent?.();
}
