/** Why an archived run is kept. */
export type KeepReason = 'age' | 'events' | 'needed' | 'parent' | 'child';

/** What is left of a run in the journal stream. */
export type JournalState = 'none' | 'archived' | 'open';

/** What decides whether an archived run is kept. */
export interface KeepFacts {
  /** When its stub was written. */
  readonly archivedAt: Date;
  /** A message, a queued request or a dead letter names the run. */
  readonly isNeeded: boolean;
  /** The journal of its parent, if it is a child run. */
  readonly parent?: JournalState | undefined;
  readonly children: readonly JournalState[];
}

/** What holds for all runs. */
export interface KeepRule {
  /** Runs that were archived later are too young. */
  readonly archivedBefore: Date;
  /** The time of the oldest event in EVENTS; undefined when the stream is empty. */
  readonly eventsFrom: Date | undefined;
}

/**
 * Why an archived run is kept; undefined when it can expire. A run outlives its events: the reconciler must not find
 * facts of a run without a journal. A family of runs expires from its root.
 */
export function keepReason(
  { archivedAt, isNeeded, parent, children }: KeepFacts,
  { archivedBefore, eventsFrom }: KeepRule,
): KeepReason | undefined {
  if (archivedAt >= archivedBefore) return 'age';
  if (eventsFrom && archivedAt >= eventsFrom) return 'events';
  if (isNeeded) return 'needed';
  if (parent === 'archived' || parent === 'open') return 'parent';
  return children.includes('open') ? 'child' : undefined;
}
