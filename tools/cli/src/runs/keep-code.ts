import { isReinsError, type Problem } from '@reins/contracts';
import { type Entry, type ProcessCode, recordedCode } from '@reins/journal';
import { codeToKeep, KeptCode, manifestPath } from '@reins/run-directory';
import type { LoadedProcess } from './load-process.ts';
import type { RunHandle } from './locate.ts';

/** The code that a run directory keeps. */
export const keptCodeOf = ({ store, run }: Pick<RunHandle, 'store' | 'run'>): KeptCode =>
  new KeptCode(store.pathsOf(run));

/** Keeps the code of a process in the run directory, before an entry records its hash. The caller holds the lock. */
export async function keepCode(handle: RunHandle, { definition, code }: LoadedProcess): Promise<void> {
  if (!code) return;
  const { codeHash } = definition;
  // Some journals of babysitter recorded no hash.
  await keptCodeOf(handle).put(/^[0-9a-f]{64}$/.test(codeHash) ? codeHash : code.manifest.codeHash, code);
}

/** The kept code of these entries, by its hash. `isWhole`: none of it is missing. */
export function readKeptCode(
  handle: RunHandle,
  entries: readonly Entry[],
): { readonly found: ReadonlyMap<string, ProcessCode>; readonly isWhole: boolean } {
  const kept = keptCodeOf(handle);
  const processes = recordedCode(entries);
  const found = new Map(
    processes.flatMap(({ codeHash }): [string, ProcessCode][] => {
      const code = kept.read(codeHash);
      return code ? [[codeHash, code]] : [];
    }),
  );
  return { found, isWhole: found.size === processes.length };
}

/** Compares the lists of the kept modules with what the modules themselves import. */
export async function importProblems(handle: RunHandle, entries: readonly Entry[]): Promise<Problem[]> {
  const processes = codeToKeep(handle.store.pathsOf(handle.run), entries);
  const found = processes.map(({ codeHash }) => contradictions(keptCodeOf(handle), codeHash));
  return (await Promise.all(found)).flat();
}

/** Where the list of the modules of kept code differs from the modules. */
export async function contradictions(kept: KeptCode, codeHash: string): Promise<Problem[]> {
  const code = kept.read(codeHash);
  if (!code) return [];
  const { keptProcess } = await import('@reins/sandbox');
  const path = manifestPath(codeHash);
  try {
    await keptProcess(code, kept.folder);
    return [];
  } catch (error) {
    if (!isReinsError(error)) throw error;
    return error.problems.map(({ message }) => ({ code: 'journal_corrupt', message: `${path}: ${message}`, path }));
  }
}
