import type { BlobRef, StoredObjects } from '@reins/bus';
import { mapParallel } from '@reins/contracts';
import type { Clock } from '../partition/clock.ts';
import { confirmed, findUnused, type SearchPorts, type Suspect } from './unused-blobs.ts';

/** What is known of one object store between two sweeps. */
export interface StoreFindings {
  readonly suspects: readonly Suspect[];
  readonly orphans: readonly string[];
}

/** The progress of the blob sweeps. Stored in KV `positions`; the findings are objects of the store `archive`. */
export interface BlobSweepState {
  readonly searchedAt: string;
  /** What the last search found unused, for each store. */
  readonly suspects: BlobRef;
  /** What two searches have found unused, until it is removed. */
  readonly confirmed?: BlobRef;
}

/** What a sweep found and removed in one object store. */
export interface SweptStore {
  readonly objects: number;
  readonly bytes: number;
  readonly suspects: number;
  readonly removed: number;
  readonly removedBytes: number;
}

export interface BlobSweepPorts extends Omit<SearchPorts, 'tombstonesBefore' | 'stores'> {
  readonly clock: Pick<Clock, 'now'>;
  readonly stores: readonly Pick<StoredObjects, 'list' | 'remove' | 'removeOrphan' | 'removeTombstone'>[];
  readonly state: () => Promise<BlobSweepState | undefined>;
  readonly saveState: (state: BlobSweepState) => Promise<void>;
  readonly loadFindings: (ref: BlobRef) => Promise<readonly StoreFindings[]>;
  readonly saveFindings: (findings: readonly StoreFindings[]) => Promise<BlobRef>;
}

/** The shortest time between two searches. Work that refers to a blob takes less from its `put` to its message. */
const MIN_INTERVAL_MS = 60_000;
const CONCURRENCY = 16;

/**
 * Removes the objects that two searches in a row have found unused. What is to be removed is stored first, so that the
 * next sweep finishes what a crash interrupted.
 * @returns the result for each store; undefined when the sweep was stopped, or the last search was too recent
 */
export async function sweepBlobs(ports: BlobSweepPorts): Promise<readonly SweptStore[] | undefined> {
  const { clock, stores } = ports;
  const last = await ports.state();
  if (last?.confirmed) await finish(ports, last);
  const now = clock.now();
  const minute = new Date(now.getTime() - MIN_INTERVAL_MS);
  if (last && new Date(last.searchedAt) > minute) return undefined;
  const searched = stores.map((store) => ({ objects: () => store.list() }));
  const found = await findUnused({ ...ports, stores: searched, tombstonesBefore: minute });
  if (!found) return undefined;
  const before = last ? await ports.loadFindings(last.suspects) : [];
  const sure = found.map(({ suspects, orphans }, index): StoreFindings => {
    const earlier = before[index] ?? { suspects: [], orphans: [] };
    const known = new Set(earlier.orphans);
    return { suspects: confirmed(earlier.suspects, suspects), orphans: orphans.filter((nuid) => known.has(nuid)) };
  });
  const suspects = await ports.saveFindings(found.map(({ suspects, orphans }) => ({ suspects, orphans })));
  const state = { searchedAt: now.toISOString(), suspects, confirmed: await ports.saveFindings(sure) };
  await ports.saveState(state);
  const removed = await finish(ports, state);
  for (const [index, { tombstones }] of found.entries())
    await mapParallel(tombstones, CONCURRENCY, (tombstone) => stores[index]?.removeTombstone(tombstone) ?? NOTHING);
  return found.map(({ objects, bytes, suspects }, index) => {
    const own = removed[index] ?? { removed: 0, removedBytes: 0 };
    return {
      objects: objects - own.removed,
      bytes: bytes - own.removedBytes,
      suspects: suspects.length - own.removed,
      ...own,
    };
  });
}

const NOTHING = Promise.resolve(false);

/** Removes what was confirmed. */
async function finish(
  ports: BlobSweepPorts,
  { confirmed: ref, ...state }: BlobSweepState,
): Promise<readonly Pick<SweptStore, 'removed' | 'removedBytes'>[]> {
  const results: Pick<SweptStore, 'removed' | 'removedBytes'>[] = [];
  for (const [index, { suspects, orphans }] of (ref ? await ports.loadFindings(ref) : []).entries()) {
    const store = ports.stores[index];
    if (!store || ports.isStopped()) return results;
    const done = await mapParallel(suspects, CONCURRENCY, async (each) => !ports.isStopped() && store.remove(each));
    await mapParallel(orphans, CONCURRENCY, async (nuid) => !ports.isStopped() && store.removeOrphan(nuid));
    const gone = suspects.filter((_, at) => done[at]);
    results.push({ removed: gone.length, removedBytes: gone.reduce((sum, { size }) => sum + size, 0) });
  }
  if (!ports.isStopped()) await ports.saveState(state);
  return results;
}
