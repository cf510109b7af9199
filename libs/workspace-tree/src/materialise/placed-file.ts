import type { BigIntStats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { CacheBuilder, type CaptureCache } from '../capture/cache.ts';
import { fingerprintOf, nowNs, sameFingerprint } from '../capture/fingerprint.ts';
import { mapParallel } from '../support/parallel.ts';

/** A file of the tree that is in its place now. */
export interface PlacedFile {
  readonly path: string;
  readonly sha256: string;
  readonly written: boolean;
  /** Taken when it was in its place. */
  readonly stats: BigIntStats;
}

const FILES_AT_ONCE = 16;

/** What the next capture may take for known: the files that look as they did when they were put there. */
export async function cacheOf(root: string, placed: readonly PlacedFile[]): Promise<CaptureCache> {
  const cache = new CacheBuilder();
  await mapParallel(placed, FILES_AT_ONCE, async ({ path, sha256, stats }) => {
    const seenAtNs = nowNs();
    const now = await lstat(join(root, path), { bigint: true });
    if (sameFingerprint(fingerprintOf(now), fingerprintOf(stats))) cache.add(path, stats, sha256, seenAtNs);
  });
  return cache.build();
}
