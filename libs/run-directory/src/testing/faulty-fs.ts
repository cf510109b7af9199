import fs from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

/**
 * The fault at a write: the process ends before it, after it, or in the middle of writing a file; or the disk is full
 * from then on.
 */
export const FAULTS = ['before', 'after', 'torn', 'full'] as const;
export type Fault = (typeof FAULTS)[number];

const SYNC = ['openSync', 'writeFileSync', 'fsyncSync', 'linkSync', 'renameSync', 'unlinkSync', 'mkdirSync'] as const;
const ASYNC = ['mkdir', 'rename', 'unlink', 'rm'] as const;
/** Calls that allocate disk space. */
const ALLOCATING_CALLS: ReadonlySet<string> = new Set(['openSync', 'writeFileSync', 'linkSync', 'mkdirSync', 'mkdir']);

type Call = (...args: unknown[]) => unknown;

/**
 * Counts every call that changes the file system, and causes the fault at call number `at` (from 1). Only for
 * test processes, because it patches `node:fs`.
 * @returns a function that gives the number of calls so far
 */
export function armFault(fault: Fault, at: number): () => number {
  let calls = 0;
  const end = (): void => void process.kill(process.pid, 'SIGKILL');

  const wrapSync = (name: string, call: Call): Call => {
    return (...args) => {
      if (name === 'openSync' && args[1] === 'r') return call(...args);
      calls += 1;
      if (fault === 'full' && calls >= at && ALLOCATING_CALLS.has(name)) throw full(name);
      if (calls !== at || fault === 'full') return call(...args);
      if (fault === 'torn' && name === 'writeFileSync')
        call(args[0], String(args[1]).slice(0, String(args[1]).length / 2));
      if (fault === 'after') call(...args);
      end();
      return undefined;
    };
  };
  const wrapAsync = (name: string, call: Call): Call => {
    return async (...args) => {
      calls += 1;
      if (fault === 'full' && calls >= at && ALLOCATING_CALLS.has(name)) throw full(name);
      if (calls === at && (fault === 'before' || fault === 'torn')) end();
      const result = await call(...args);
      if (calls === at && fault === 'after') end();
      return result;
    };
  };

  const [syncFs, asyncFs] = [fs, promises] as unknown as Record<string, Call>[];
  for (const name of SYNC) if (syncFs?.[name]) syncFs[name] = wrapSync(name, syncFs[name]);
  for (const name of ASYNC) if (asyncFs?.[name]) asyncFs[name] = wrapAsync(name, asyncFs[name]);
  syncBuiltinESMExports();
  return () => calls;
}

const full = (name: string): Error =>
  Object.assign(new Error(`ENOSPC: no space left on device, ${name}`), { code: 'ENOSPC', syscall: name });
