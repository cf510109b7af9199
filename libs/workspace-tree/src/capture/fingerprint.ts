import type { BigIntStats } from 'node:fs';

/** File system metadata of a file. While a settled fingerprint is the same, the content is the same (`isSettled`). */
export interface Fingerprint {
  readonly dev: string;
  readonly ino: string;
  readonly size: string;
  readonly mode: string;
  readonly mtimeNs: string;
  /** Programs can set the modification time back, but not the change time. */
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
/** File system clocks tick every few milliseconds; without nanoseconds, possibly only every two seconds. */
const FINE_TICK_NS = 20n * MILLISECOND_NS;
const COARSE_TICK_NS = 2_100n * MILLISECOND_NS;
const SECOND_NS = 1_000n * MILLISECOND_NS;

/**
 * Whether a later change of the file would be visible in its fingerprint. A file that changed within the last clock
 * tick before `seenAtNs` can change again with the same timestamps.
 */
export function isSettled(fingerprint: Fingerprint, seenAtNs: bigint): boolean {
  const changed = BigInt(fingerprint.ctimeNs);
  const tick = changed % SECOND_NS === 0n ? COARSE_TICK_NS : FINE_TICK_NS;
  return changed + tick < seenAtNs;
}

/** The current time of the clock that file systems use for timestamps. */
export function nowNs(): bigint {
  return BigInt(Date.now()) * MILLISECOND_NS;
}
