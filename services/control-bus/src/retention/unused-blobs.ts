import type { ObjectMeta } from '@reins/bus';
import { MarkedHashes } from './marked-hashes.ts';
import { eachHash, openEnd } from './references.ts';

/** An object that no message and no object referred to at the last search. */
export interface Suspect {
  readonly name: string;
  readonly nuid: string;
  readonly revision: number;
  readonly size: number;
}

type Tombstone = Pick<ObjectMeta, 'name' | 'revision'>;

/** What a search found in one object store. */
export interface SearchResult {
  readonly objects: number;
  readonly bytes: number;
  /** Objects that nothing refers to. */
  readonly suspects: readonly Suspect[];
  /** Metadata of objects that an earlier sweep removed. */
  readonly tombstones: readonly Tombstone[];
  /** Uploads whose chunks have no object. */
  readonly orphans: readonly string[];
}

/** A chunk of an upload. */
export interface UploadedChunk {
  /** The index of its store. */
  readonly store: number;
  readonly nuid: string;
  /** The next chunk of the upload continues this one. */
  readonly isFull: boolean;
  /** It was stored so long ago that its object must exist. */
  readonly isOld: boolean;
}

/** Bytes that may refer to blobs. */
export interface Content {
  readonly bytes: Uint8Array;
  readonly chunk?: UploadedChunk;
}

export interface SearchedStore {
  readonly objects: () => AsyncIterable<ObjectMeta>;
}

export interface SearchPorts {
  readonly stores: readonly SearchedStore[];
  /** Everything that may refer to a blob; after the first call, only what was stored since. */
  readonly contents: () => AsyncIterable<Content>;
  /** Tombstones that were stored later are kept. */
  readonly tombstonesBefore: Date;
  readonly isStopped: () => boolean;
}

/** The most suspects of a store. More are found in the next sweeps. */
const MAX_SUSPECTS = 100_000;
/** How often what was stored during the search is read, too. */
const PASSES = 3;
/** The key of a tree's layout. Its tree does not refer to it. */
const LAYOUT = '.layout';
const isHash = (name: string): boolean => /^[0-9a-f]{64}$/.test(name);

/**
 * Searches the object stores for objects that nothing refers to: no message of any stream, and no object, whether it is
 * used or not. So what an unused object refers to is found only after that object was removed. Nothing else has to be
 * known about references, and an object that is used again needs no look at what it refers to.
 *
 * References may move while this reads. An object may be removed only if two searches have found it, and it was not
 * stored or renewed since the first one.
 * @returns a result for each store; undefined when the search was stopped
 */
export async function findUnused(ports: SearchPorts): Promise<readonly SearchResult[] | undefined> {
  const found = await Promise.all(ports.stores.map(objectsIn));
  for (let pass = 1; pass <= PASSES; pass += 1) if (!(await markAll(ports, found))) return undefined;
  const results: SearchResult[] = [];
  for (const [index, store] of ports.stores.entries())
    results.push(await resultOf(store, found[index] as FoundObjects, ports.tombstonesBefore));
  return results;
}

/** The objects of a store when the search began. */
interface FoundObjects {
  readonly names: MarkedHashes;
  /** The uploads of large objects, and the names of removed ones. */
  readonly uploads: Set<string>;
  readonly orphans: Set<string>;
}

async function objectsIn({ objects }: SearchedStore): Promise<FoundObjects> {
  const found: FoundObjects = { names: new MarkedHashes(), uploads: new Set(), orphans: new Set() };
  for await (const { name, nuid, deleted } of objects()) {
    if (!deleted && isHash(name)) found.names.add(name);
    if (deleted || nuid !== name) found.uploads.add(nuid);
  }
  return found;
}

async function markAll({ contents, isStopped }: SearchPorts, found: readonly FoundObjects[]): Promise<boolean> {
  const ends = new Map<string, Uint8Array>();
  const mark = (bytes: Uint8Array, start: number): void => {
    for (const { names } of found) names.mark(bytes, start);
  };
  for await (const { bytes, chunk } of contents()) {
    if (isStopped()) return false;
    const before = chunk && ends.get(chunk.nuid);
    eachHash(before ? Buffer.concat([before, bytes]) : bytes, mark);
    if (!chunk) continue;
    if (chunk.isFull) ends.set(chunk.nuid, openEnd(bytes));
    else ends.delete(chunk.nuid);
    const store = found[chunk.store];
    if (store && chunk.isOld && isOrphan(chunk.nuid, store)) store.orphans.add(chunk.nuid);
  }
  return true;
}

/** A chunk of a small object has the name of the object. */
const isOrphan = (nuid: string, { names, uploads, orphans }: FoundObjects): boolean =>
  !uploads.has(nuid) && !(isHash(nuid) && names.isMarked(nuid) !== undefined) && orphans.size < MAX_SUSPECTS;

async function resultOf(
  { objects }: SearchedStore,
  { names, orphans }: FoundObjects,
  tombstonesBefore: Date,
): Promise<SearchResult> {
  const suspects: Suspect[] = [];
  const tombstones: Tombstone[] = [];
  let [count, bytes] = [0, 0];
  for await (const { name, nuid, revision, size, deleted, storedAt } of objects()) {
    if (deleted) {
      if (storedAt < tombstonesBefore) tombstones.push({ name, revision });
      continue;
    }
    count += 1;
    bytes += size;
    const isUnused = isHash(name) ? names.isMarked(name) === false : isUnusedLayout(name, names);
    if (isUnused && suspects.length < MAX_SUSPECTS) suspects.push({ name, nuid, revision, size });
  }
  return { objects: count, bytes, suspects, tombstones, orphans: [...orphans] };
}

/** A layout is used as long as its tree exists. */
const isUnusedLayout = (name: string, set: MarkedHashes): boolean =>
  name.endsWith(LAYOUT) && set.isMarked(name.slice(0, -LAYOUT.length)) === undefined;

/** The suspects of the previous search that are suspects again, unchanged. */
export function confirmed(before: readonly Suspect[], now: readonly Suspect[]): readonly Suspect[] {
  const revisions = new Map(before.map(({ name, revision }) => [name, revision]));
  return now.filter(({ name, revision }) => revisions.get(name) === revision);
}
