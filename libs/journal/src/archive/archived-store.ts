import { type BlobRef, isReinsError, ReinsError, type RunAddress } from '@reins/contracts';
import { hasEnded } from '../entries/ends.ts';
import type { Entry } from '../entries/entry.ts';
import { DamagedJournal } from '../store/damaged-journal.ts';
import type { JournalStore, LoadedJournal } from '../store/journal-store.ts';
import { headOf, unpackJournal } from './pack.ts';

/**
 * A store whose finished runs may have left for the archive: who reads does not notice, and who appends is fenced by the stub that stayed.
 * @param fetch brings the pack of a reference
 */
export function archivedStore(store: JournalStore, fetch: (ref: BlobRef) => Promise<Uint8Array>): JournalStore {
  return {
    append: (run, commit, expected) => store.append(run, commit, expected),
    load: loadThroughArchive((run) => store.load(run), fetch),
  };
}

/** Loads journals wherever their entries are, as `archivedStore` does, for those who only read. */
export function loadThroughArchive(
  load: JournalStore['load'],
  fetch: (ref: BlobRef) => Promise<Uint8Array>,
): JournalStore['load'] {
  return async (run) => {
    const loaded = await settled(load, run);
    const [first] = loaded.entries;
    return first?.type === 'RUN_ARCHIVED'
      ? withArchive(loaded, first, await fetch(first.data.archiveRef), run)
      : loaded;
  };
}

/** A run that is archived while it is read loses entries in the middle of that: the second time it has left, or is what it seemed. */
async function settled(load: JournalStore['load'], run: RunAddress): Promise<LoadedJournal> {
  try {
    return await load(run);
  } catch (error) {
    if (isReinsError(error) && error.code === 'journal_corrupt' && mayHaveLeft(error)) return load(run);
    throw error;
  }
}

/** What leaves has ended: its stub is read last, or what was its end when the reading began. */
const mayHaveLeft = (error: ReinsError): boolean =>
  !(error instanceof DamagedJournal) || (error.last !== undefined && hasEnded(error.last.type));

function withArchive(
  loaded: LoadedJournal,
  stub: Entry<'RUN_ARCHIVED'>,
  pack: Uint8Array,
  run: RunAddress,
): LoadedJournal {
  const entries = unpackJournal(pack, run);
  const { version, hash } = headOf(entries);
  if (hash !== stub.data.headHash || version !== stub.version - 1) {
    const message = `the archive of run ${run.runId} ends at another entry than its stub says`;
    throw new ReinsError({ code: 'journal_corrupt', message, path: `entries[${stub.version}]` });
  }
  return { ...loaded, entries: [...entries, ...loaded.entries] };
}
