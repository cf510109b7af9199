import { isReinsError, ReinsError, type RunAddress } from '@reins/contracts';
import {
  archiveStub,
  type Entry,
  type FinishedJournal,
  foldRun,
  hasEnded,
  type JournalStore,
  type LoadedJournal,
  type Position,
  packJournals,
  sealEntries,
  unpackJournal,
} from '@reins/journal';
import { Fenced } from '../run/run-actor.ts';
import type { RunPorts } from '../run/run-ports.ts';

/** What archiving needs of the world. */
export interface ArchivePorts {
  /** The journals as they lie in the stream, stubs and all. */
  readonly journal: JournalStore;
  readonly packs: PackStore;
  /** Default: `packJournals`. */
  readonly pack?: (journals: readonly FinishedJournal[]) => Promise<Uint8Array>;
  /** Removes all commits of the run before this one from the stream. */
  readonly purge: (run: RunAddress, before: Position) => Promise<void>;
  readonly epoch: () => number;
  readonly clock: RunPorts['clock'];
  /** A run that cannot be archived stays where it is. */
  readonly onFailure: (run: RunAddress, error: unknown) => void;
}

/** Where packs lie, by their content. What `get` gives was verified by its hash. */
export interface PackStore {
  put(pack: Uint8Array): Promise<PackRef>;
  get(ref: PackRef): Promise<Uint8Array>;
}

interface PackRef {
  readonly sha256: string;
  readonly size: number;
}

interface EndedRun extends LoadedJournal {
  readonly run: RunAddress;
}

/** The journals of one pack, before compression. One that is longer has a pack of its own. */
const PACK_CHARS = 8 * 1024 * 1024;

/**
 * Moves the journals of runs that have ended into packs. Each step is done only when the one before is durable: the pack is stored and read
 * back, the run's stub is appended (compare-and-set, under our epoch), and only then its other commits are removed. Whoever does it again after a
 * crash finds the pack there, or makes another one that nobody names; a stub whose run still has its other commits is finished.
 * @returns how many runs have left the stream
 */
export async function archiveRuns(ports: ArchivePorts, runs: Iterable<RunAddress>): Promise<number> {
  let archived = 0;
  let batch: EndedRun[] = [];
  let chars = 0;
  for (const run of runs) {
    const found = await endedJournal(ports, run);
    if (found === 'left') archived += 1;
    if (typeof found === 'string') continue;
    batch.push(found);
    chars += JSON.stringify(found.entries).length;
    if (chars < PACK_CHARS) continue;
    archived += await archiveTogether(ports, batch);
    batch = [];
    chars = 0;
  }
  return archived + (await archiveTogether(ports, batch));
}

/** The journal of a run that has ended and has not left; `left` when it has now, `none` when there is nothing to do. */
function endedJournal(ports: ArchivePorts, run: RunAddress): Promise<EndedRun | 'left' | 'none'> {
  return skipIfCorrupted(ports, run, 'none', async () => {
    const found = await ports.journal.load(run);
    assertNotFenced(ports, run, found);
    const last = found.entries.at(-1);
    if (!last || !hasEnded(last.type) || found.entries[0]?.type === 'RUN_ARCHIVED') return 'none';
    if (last.type !== 'RUN_ARCHIVED') return { ...found, run };
    assertPackMatches(await ports.packs.get(last.data.archiveRef), run, found.entries.slice(0, -1));
    await ports.purge(run, found.position);
    return 'left';
  });
}

/** A run whose journal, or archive, is damaged stays where it is; the others do not wait for it. */
async function skipIfCorrupted<T>(
  ports: ArchivePorts,
  run: RunAddress,
  otherwise: T,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isCorruption(error)) throw error;
    ports.onFailure(run, error);
    return otherwise;
  }
}

/**
 * Whoever was stopped for long may not know yet that there is a newer owner, nor of a run that has ended under that one, and whose end may not
 * be told yet; the journal does.
 * @throws Fenced
 */
function assertNotFenced({ epoch }: ArchivePorts, { runId }: RunAddress, journal: LoadedJournal): void {
  if ((journal.epoch ?? 0) > epoch()) throw new Fenced(runId);
}

const CORRUPTION_CODES: ReadonlySet<string> = new Set(['journal_corrupt', 'blob_not_found', 'blob_corrupt']);
const isCorruption = (error: unknown): boolean => isReinsError(error) && CORRUPTION_CODES.has(error.code);

async function archiveTogether(ports: ArchivePorts, batch: readonly EndedRun[]): Promise<number> {
  if (batch.length === 0) return 0;
  const ref = await ports.packs.put(await (ports.pack ?? packJournals)(batch));
  const kept = await ports.packs.get(ref);
  let archived = 0;
  for (const each of batch) {
    const hasLeft = await skipIfCorrupted(ports, each.run, false, () => archiveOne(ports, each, ref, kept));
    if (hasLeft) archived += 1;
  }
  return archived;
}

/** @returns whether it has left the stream */
async function archiveOne(
  ports: ArchivePorts,
  { run, entries, position }: EndedRun,
  ref: PackRef,
  kept: Uint8Array,
): Promise<boolean> {
  assertPackMatches(kept, run, entries);
  const state = foldRun(run, entries);
  const stub = sealEntries(state.head, [archiveStub(state, ref)], ports.clock.now().toISOString());
  const answer = await ports.journal.append(run, { entries: stub, epoch: ports.epoch() }, position);
  // Fenced: another owner archives it, and may have died before it was done.
  if (answer.outcome === 'fenced') return (await endedJournal(ports, run)) === 'left';
  await ports.purge(run, answer.position);
  return true;
}

/** @throws ReinsError `journal_corrupt` when the pack does not give the journal back as it is */
function assertPackMatches(pack: Uint8Array, run: RunAddress, entries: readonly Entry[]): void {
  const kept = unpackJournal(pack, run);
  if (kept.length === entries.length && kept.at(-1)?.hash === entries.at(-1)?.hash) return;
  const { runId } = run;
  throw new ReinsError({
    code: 'journal_corrupt',
    message: `the archive of run ${runId} is not its journal`,
    path: runId,
    hint: 'nothing of the run was removed from the stream',
  });
}
