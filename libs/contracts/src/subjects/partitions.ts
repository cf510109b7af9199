/**
 * Default number of partitions. Fixed at installation, since a run's partition is derived from its id and this number.
 */
export const DEFAULT_PARTITIONS = 16;

/** FNV-1a, 32 bit, of the UTF-8 bytes of the text. The NATS server uses the same hash for its `partition()` mapping. */
export function fnv1a32(text: string): number {
  // A UTF-16 code unit becomes at most three UTF-8 bytes.
  if (bytes.length < 3 * text.length) bytes = new Uint8Array(3 * text.length);
  const { written } = encoder.encodeInto(text, bytes);
  let hash = 0x811c9dc5;
  for (let i = 0; i < written; i += 1) hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193) >>> 0;
  return hash;
}

const encoder = new TextEncoder();
/** Reused buffer: allocating one per call would cost more than the hash. */
let bytes = new Uint8Array(3 * 64);

/** The partition (0 … partitions-1) of a run. */
export function partitionOf(runId: string, partitions: number = DEFAULT_PARTITIONS): number {
  return fnv1a32(runId) % partitions;
}
