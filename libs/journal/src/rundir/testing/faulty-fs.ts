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
/** Calls that need space on the disk. */
const NEEDS_ROOM: ReadonlySet<string> = new Set(['openSync', 'writeFileSync', 'linkSync', 'mkdirSync', 'mkdir']);

type Call = (...args: unknown[]) => unknown;

/**
 * Counts every call that changes the file system, and causes the fault at call number `at` (from 1). Only for the
 * process of a test.
 * @returns a function that gives the number of calls so far
 */
export function armFault(fault: Fault, at: number): () => number {
  let calls = 0;
  const end = (): void => void process.kill(process.pid, 'SIGKILL');

  const sync = (name: string, call: Call): Call => {
    return (...args) => {
      if (name === 'openSync' && args[1] === 'r') return call(...args);
      calls += 1;
      if (fault === 'full' && calls >= at && NEEDS_ROOM.has(name)) throw full(name);
      if (calls !== at || fault === 'full') return call(...args);
      if (fault === 'torn' && name === 'writeFileSync')
        call(args[0], String(args[1]).slice(0, String(args[1]).length / 2));
      if (fault === 'after') call(...args);
      end();
      return undefined;
    };
  };
  const later = (name: string, call: Call): Call => {
    return async (...args) => {
      calls += 1;
      if (fault === 'full' && calls >= at && NEEDS_ROOM.has(name)) throw full(name);
      if (calls === at && (fault === 'before' || fault === 'torn')) end();
      const result = await call(...args);
      if (calls === at && fault === 'after') end();
      return result;
    };
  };

  const [plain, deferred] = [fs, promises] as unknown as Record<string, Call>[];
  for (const name of SYNC) if (plain?.[name]) plain[name] = sync(name, plain[name]);
  for (const name of ASYNC) if (deferred?.[name]) deferred[name] = later(name, deferred[name]);
  syncBuiltinESMExports();
  return () => calls;
}

const full = (name: string): Error =>
  Object.assign(new Error(`ENOSPC: no space left on device, ${name}`), { code: 'ENOSPC', syscall: name });
