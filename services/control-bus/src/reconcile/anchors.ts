import type { StreamPosition } from '@reins/bus';

/** All facts of the partition's commits up to `journal` are in the event log up to `events`. */
export interface Anchor {
  readonly journal: StreamPosition;
  readonly events: StreamPosition;
  /**
   * All facts of the partition's commits after `journal` are in the event log after this sequence: it is before
   * `events`, because facts of later commits may have been published when the anchor was made. Absent in anchors of
   * earlier versions.
   */
  readonly laterFactsAfter?: number;
}

/** The most anchors that are kept. */
const MAX_ANCHORS = 24;
/** How much further back than its newer neighbour an anchor may be, before the anchors between them are dropped. */
const GROWTH = 4;

/**
 * Adds an anchor. The distances between the anchors that are kept grow with their age, so that a log rolled back
 * far still has a valid one.
 * @param anchors newest first
 */
export function withAnchor(anchors: readonly Anchor[], next: Anchor): readonly Anchor[] {
  const all = [next, ...anchors];
  const distanceOf = ({ events }: Anchor): number => next.events.seq - events.seq;
  const kept = [next];
  for (const [index, anchor] of all.entries()) {
    if (index === 0) continue;
    const older = all[index + 1];
    const newer = kept.at(-1) as Anchor;
    if (!older || distanceOf(older) > GROWTH * Math.max(1, distanceOf(newer))) kept.push(anchor);
  }
  return kept.slice(0, MAX_ANCHORS);
}
