/** How many partitions each of the living replicas may hold. */
export function fairShare(partitions: number, replicas: number): number {
  return Math.ceil(partitions / Math.max(1, replicas));
}

/**
 * Free partitions in the order in which a replica tries for them. Each replica begins somewhere else, so that they
 * seldom meet.
 */
export function preferred(free: readonly number[], partitions: number, start: number): number[] {
  const distance = (partition: number): number => (partition - start + partitions) % partitions;
  return [...free].sort((a, b) => distance(a) - distance(b));
}
