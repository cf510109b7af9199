import type { BigIntStats } from 'node:fs';

/** What the file system says of a file: as long as it says the same, the content is the same. */
export interface Fingerprint {
  readonly dev: string;
  readonly ino: string;
  readonly size: string;
  readonly mode: string;
  readonly mtimeNs: string;
  /** Unlike the time of modification, no program can set this one back. */
  readonly ctimeNs: string;
}

export function fingerprintOf(stats: BigIntStats): Fingerprint {
  return {
    dev: String(stats.dev),
    ino: String(stats.ino),
    size: String(stats.size),
    mode: String(stats.mode),
    mtimeNs: String(stats.mtimeNs),
    ctimeNs: String(stats.ctimeNs),
  };
}

export function sameFingerprint(a: Fingerprint, b: Fingerprint): boolean {
  return (
    a.ctimeNs === b.ctimeNs &&
    a.mtimeNs === b.mtimeNs &&
    a.size === b.size &&
    a.ino === b.ino &&
    a.dev === b.dev &&
    a.mode === b.mode
  );
}

const MILLISECOND_NS = 1_000_000n;
/** A file system's clock ticks every few milliseconds; one without nanoseconds may tick every two seconds. */
const FINE_TICK_NS = 20n * MILLISECOND_NS;
const COARSE_TICK_NS = 2_100n * MILLISECOND_NS;
const SECOND_NS = 1_000n * MILLISECOND_NS;

/**
 * Whether a later change of the file is sure to show in its fingerprint. One that was changed within the clock's last tick
 * before it was looked at can be changed again without a trace, so its fingerprint proves nothing.
 */
export function isSettled(fingerprint: Fingerprint, seenAtNs: bigint): boolean {
  const changed = BigInt(fingerprint.ctimeNs);
  const tick = changed % SECOND_NS === 0n ? COARSE_TICK_NS : FINE_TICK_NS;
  return changed + tick < seenAtNs;
}

/** Now, by the clock that file systems stamp with. */
export function nowNs(): bigint {
  return BigInt(Date.now()) * MILLISECOND_NS;
}
