import { type BlobRef, isReinsError, ReinsError, type RunAddress } from '@reins/contracts';
import { type Entry, hasEnded } from '../entries/entry.ts';
import { CorruptedJournalError } from '../store/corrupted-journal-error.ts';
import type { JournalStore, LoadedJournal } from '../store/journal-store.ts';
import { headOf, unpackJournal } from './pack.ts';

/**
 * Loads journals of runs that may be in the archive. An archived run has its stub as its last entry.
 * @param load loads from the stream
 * @param fetch fetches the pack of a reference
 */
export function loadThroughArchive(
  load: JournalStore['load'],
  fetch: (ref: BlobRef) => Promise<Uint8Array>,
): JournalStore['load'] {
  return async (run) => {
    const loaded = await loadWithRetry(load, run);
    const [first] = loaded.entries;
    return first?.type === 'RUN_ARCHIVED'
      ? withArchive(loaded, first, await fetch(first.data.archiveRef), run)
      : loaded;
  };
}

/**
 * Archiving removes entries while they are read, which looks like corruption. A second load finds the stub, or confirms
 * the corruption.
 */
async function loadWithRetry(load: JournalStore['load'], run: RunAddress): Promise<LoadedJournal> {
  try {
    return await load(run);
  } catch (error) {
    if (isReinsError(error) && error.code === 'journal_corrupt' && mayBeArchived(error)) return load(run);
    throw error;
  }
}

/** Only an ended run can be archived, so the last entry read is its end or its stub. */
const mayBeArchived = (error: ReinsError): boolean =>
  !(error instanceof CorruptedJournalError) || (error.last !== undefined && hasEnded(error.last.type));

function withArchive(
  loaded: LoadedJournal,
  stub: Entry<'RUN_ARCHIVED'>,
  pack: Uint8Array,
  run: RunAddress,
): LoadedJournal {
  const entries = unpackJournal(pack, run);
  const { version, hash } = headOf(entries);
  if (hash !== stub.data.headHash || version !== stub.version - 1) {
    const message = `the archive of run ${run.runId} does not end at the entry that its stub names`;
    throw new ReinsError({ code: 'journal_corrupt', message, path: `entries[${stub.version}]` });
  }
  return { ...loaded, entries: [...entries, ...loaded.entries] };
}
