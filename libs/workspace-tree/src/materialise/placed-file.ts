import type { BigIntStats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { mapParallel } from '@reins/contracts';
import { CacheBuilder, type CaptureCache } from '../capture/cache.ts';
import { fingerprintOf, nowNs, sameFingerprint } from '../capture/fingerprint.ts';

/** A file of the tree after it was written or found to be up to date. */
export interface PlacedFile {
  readonly path: string;
  readonly sha256: string;
  readonly written: boolean;
  /** The stats of the file at that time. */
  readonly stats: BigIntStats;
}

const FILES_AT_ONCE = 16;

/** The cache for the next capture. It contains the files whose stats are still the same. */
export async function cacheOf(root: string, placed: readonly PlacedFile[]): Promise<CaptureCache> {
  const cache = new CacheBuilder();
  await mapParallel(placed, FILES_AT_ONCE, async ({ path, sha256, stats }) => {
    const seenAtNs = nowNs();
    const now = await lstat(join(root, path), { bigint: true });
    if (sameFingerprint(fingerprintOf(now), fingerprintOf(stats))) cache.add(path, stats, sha256, seenAtNs);
  });
  return cache.build();
}
