/** How many partitions an installation has. Fixed at install: a run's partition follows from its id and this number. */
export const DEFAULT_PARTITIONS = 16;

/** FNV-1a, 32 bit, over the UTF-8 bytes of the id: the hash that the NATS server's own `partition()` mapping uses. */
export function fnv1a32(text: string): number {
  // A UTF-16 code unit is at most three bytes.
  if (bytes.length < 3 * text.length) bytes = new Uint8Array(3 * text.length);
  const { written } = encoder.encodeInto(text, bytes);
  let hash = 0x811c9dc5;
  for (let i = 0; i < written; i += 1) hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193) >>> 0;
  return hash;
}

const encoder = new TextEncoder();
/** Of the text that is hashed now: memory of its own for each would cost more than the hash. */
let bytes = new Uint8Array(3 * 64);

/** The partition, 0 … partitions-1, whose owner drives this run. */
export function partitionOf(runId: string, partitions: number = DEFAULT_PARTITIONS): number {
  return fnv1a32(runId) % partitions;
}
