import type { BigIntStats } from 'node:fs';
import { type Fingerprint, fingerprintOf, isSettled, sameFingerprint } from './fingerprint.ts';

/** Path → what its content was when it was last read. Plain JSON, so that it can be kept between processes. */
export type CaptureCache = Readonly<Record<string, CachedFile>>;

export interface CachedFile {
  readonly fingerprint: Fingerprint;
  readonly sha256: string;
}

/** What the cache knows of a file, if the file is certain to be as it was. */
export function cachedFile(
  cache: CaptureCache | undefined,
  path: string,
  fingerprint: Fingerprint,
): CachedFile | undefined {
  if (!cache || !Object.hasOwn(cache, path)) return undefined;
  const cached = cache[path];
  return cached && sameFingerprint(cached.fingerprint, fingerprint) ? cached : undefined;
}

/** Gathers a new cache. */
export class CacheBuilder {
  // Without a prototype, so that no path is a name of one's members.
  readonly #files: Record<string, CachedFile> = Object.create(null);

  /** Takes over what an older cache knew. */
  keep(path: string, cached: CachedFile): void {
    this.#files[path] = cached;
  }

  /**
   * Remembers a file that had these stats when the clock said `seenAtNs` and was not changed while it was read or written
   * before; not if a change since then might go unseen.
   */
  add(path: string, stats: BigIntStats, sha256: string, seenAtNs: bigint): void {
    const fingerprint = fingerprintOf(stats);
    if (isSettled(fingerprint, seenAtNs)) this.#files[path] = { fingerprint, sha256 };
  }

  build(): CaptureCache {
    return this.#files;
  }
}
