import { AsyncLocalStorage } from 'node:async_hooks';
import { misuse } from '../errors.ts';
import type { ProcessContext } from '../process-context.ts';

const active = new AsyncLocalStorage<ProcessContext>();

/**
 * Runs work with this context as the active one. It follows every await, and concurrent runs do not see each other's.
 */
export function withProcessContext<T>(context: ProcessContext, work: () => T): T {
  return active.run(context, work);
}

/** The context of the running process. */
export function getActiveProcessContext(): ProcessContext | undefined {
  return active.getStore();
}

/** @throws ReinsError `process_invalid` outside of a process */
export function requireProcessContext(): ProcessContext {
  const context = active.getStore();
  if (!context) throw misuse('there is no active process context', 'Call it only inside a process.');
  return context;
}
