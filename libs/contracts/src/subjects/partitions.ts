/** How many partitions an installation has. Fixed at install: a run's partition follows from its id and this number. */
export const DEFAULT_PARTITIONS = 16;

/** FNV-1a, 32 bit, over the UTF-8 bytes of the id: the hash that the NATS server's own `partition()` mapping uses. */
export function fnv1a32(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}

/** The partition, 0 … partitions-1, whose owner drives this run. */
export function partitionOf(runId: string, partitions: number = DEFAULT_PARTITIONS): number {
  return fnv1a32(runId) % partitions;
}
