/** Maximum number of partitions per live replica. */
export function fairShare(partitions: number, replicas: number): number {
  return Math.ceil(partitions / Math.max(1, replicas));
}

/**
 * Sorts free partitions into the order in which a replica tries to acquire them. Each replica starts at a different
 * partition, which reduces conflicts.
 */
export function preferred(free: readonly number[], partitions: number, start: number): number[] {
  const distance = (partition: number): number => (partition - start + partitions) % partitions;
  return [...free].sort((a, b) => distance(a) - distance(b));
}
