import { RunBlobs, readRun } from '@reins/run-directory';
import { readKeptCode } from '../keep-code.ts';
import type { RunHandle } from '../locate.ts';
import { type PackedJournal, packed } from '../packed-journal.ts';

/** Packs the journal of a run directory. */
export async function packDirectory(handle: RunHandle): Promise<PackedJournal> {
  const { store, run } = handle;
  const { entries } = await readRun(store, run);
  const { found } = readKeptCode(handle, entries);
  return packed({ run, entries, values: new RunBlobs(store.pathsOf(run)) }, [...found.values()]);
}
