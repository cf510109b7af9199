import type { BigIntStats } from 'node:fs';
import { type Fingerprint, fingerprintOf, isSettled, sameFingerprint } from './fingerprint.ts';

/**
 * Path → hash and fingerprint of each file when it was last read. Plain JSON, so that it can be stored between
 * processes.
 */
export type CaptureCache = Readonly<Record<string, CachedFile>>;

export interface CachedFile {
  readonly fingerprint: Fingerprint;
  readonly sha256: string;
}

/** The cache entry of a file, if its fingerprint shows that the file has not changed. */
export function cachedFile(
  cache: CaptureCache | undefined,
  path: string,
  fingerprint: Fingerprint,
): CachedFile | undefined {
  if (!cache || !Object.hasOwn(cache, path)) return undefined;
  const cached = cache[path];
  return cached && sameFingerprint(cached.fingerprint, fingerprint) ? cached : undefined;
}

/** Builds a new cache. */
export class CacheBuilder {
  // Without a prototype, so that no path collides with an inherited member.
  readonly #files: Record<string, CachedFile> = Object.create(null);

  /** Copies an entry from an older cache. */
  keep(path: string, cached: CachedFile): void {
    this.#files[path] = cached;
  }

  /**
   * Adds a file that had these stats at `seenAtNs` and did not change while it was read or written. Skips a file whose
   * later changes could be invisible in its fingerprint.
   */
  add(path: string, stats: BigIntStats, sha256: string, seenAtNs: bigint): void {
    const fingerprint = fingerprintOf(stats);
    if (isSettled(fingerprint, seenAtNs)) this.#files[path] = { fingerprint, sha256 };
  }

  build(): CaptureCache {
    return this.#files;
  }
}
