import { AsyncLocalStorage } from 'node:async_hooks';
import { misuse } from '../errors.ts';
import type { ProcessContext } from '../process-context.ts';

const active = new AsyncLocalStorage<ProcessContext>();

/** Runs with this context as the active one: it follows every await, and runs beside each other do not see each other's. */
export function withProcessContext<T>(context: ProcessContext, work: () => T): T {
  return active.run(context, work);
}

/** The context of the process that runs now. */
export function getActiveProcessContext(): ProcessContext | undefined {
  return active.getStore();
}

/** @throws ReinsError `process_invalid` outside of a process */
export function requireProcessContext(): ProcessContext {
  const context = active.getStore();
  if (!context) throw misuse('there is no active process context', 'call it from within a process');
  return context;
}
