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
import { Fenced } from '../run/lifecycle/run-errors.ts';
import type { RunPorts } from '../run/run-ports.ts';

/** The dependencies of archiving. */
export interface ArchivePorts {
  /** The journals as stored in the stream, archive stubs included. */
  readonly journal: JournalStore;
  readonly packs: PackStore;
  /** Default: `packJournals`. */
  readonly pack?: (journals: readonly FinishedJournal[]) => Promise<Uint8Array>;
  /** Removes all commits of the run before this one from the stream. */
  readonly purge: (run: RunAddress, before: Position) => Promise<void>;
  readonly epoch: () => number;
  readonly clock: RunPorts['clock'];
  /** Called for a run that cannot be archived. The run stays in the stream. */
  readonly onFailure: (run: RunAddress, error: unknown) => void;
}

/** Stores packs by their SHA-256. `get` verifies the hash. */
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

/** The size of a pack before compression. A longer journal gets its own pack. */
const PACK_CHARS = 8 * 1024 * 1024;

/**
 * Moves the journals of ended runs into packs. Each step starts when the previous one is durable: store the pack and
 * read it back, append the run's stub (compare-and-set, under our epoch), remove its other commits.
 *
 * It is safe to repeat after a crash. The repeat finds the pack or stores another one, and an unreferenced pack is harmless.
 * If a stub exists but the other commits were not removed, the repeat removes them.
 * @returns the number of runs that have left the stream
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

/**
 * The journal of an ended run that is not archived yet.
 * `left`: the run had a stub, and its other commits are removed now. `none`: there is nothing to do.
 */
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

/** Skips a run whose journal or archive is corrupted, so that the other runs do not wait for it. */
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
 * A paused process may not know that there is a newer owner. That owner may have ended the run without publishing its
 * terminal fact yet. The journal's epoch shows it.
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

/** @returns whether the run has left the stream */
async function archiveOne(
  ports: ArchivePorts,
  { run, entries, position }: EndedRun,
  ref: PackRef,
  kept: Uint8Array,
): Promise<boolean> {
  assertPackMatches(kept, run, entries);
  const state = foldRun(run, entries);
  const stub = sealEntries(state.head, [archiveStub(state, ref)], ports.clock.now().toISOString());
  const appended = await ports.journal.append(run, { entries: stub, epoch: ports.epoch() }, position);
  // Fenced: another owner archives the run, and may have crashed before it finished.
  if (appended.outcome === 'fenced') return (await endedJournal(ports, run)) === 'left';
  await ports.purge(run, appended.position);
  return true;
}

/** @throws ReinsError `journal_corrupt` when the pack does not contain exactly this journal */
function assertPackMatches(pack: Uint8Array, run: RunAddress, entries: readonly Entry[]): void {
  const kept = unpackJournal(pack, run);
  if (kept.length === entries.length && kept.at(-1)?.hash === entries.at(-1)?.hash) return;
  const { runId } = run;
  throw new ReinsError({
    code: 'journal_corrupt',
    message: `the archive of run ${runId} differs from its journal`,
    path: runId,
    hint: 'No action is needed: the complete journal stays in the stream.',
  });
}
