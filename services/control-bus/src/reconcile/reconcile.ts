import type { Entry } from '@reins/journal';

/** What identifies a fact of a run. */
export interface FactMark {
  /** `ce-id`: the hash of its entry, and its number within the entry. */
  readonly id: string;
  /** `reins-version`: the version of its entry. */
  readonly version: number;
  /** Whether it is the terminal fact of the run. */
  readonly terminal: boolean;
}

/** What the journal and the event log know about one run. */
export interface RunEvidence {
  readonly entries: readonly Pick<Entry, 'version' | 'hash'>[];
  readonly hasEnded: boolean;
  /** The facts of the entries that are checked, in order. */
  readonly derived: readonly FactMark[];
  /** The facts in the event log since the position that is known to be complete. */
  readonly stored: readonly FactMark[];
}

/**
 * How a run is brought back to a state that follows from its journal.
 * - `none`: nothing to do, or nothing can be done, because the run has ended.
 * - `end`: the event log has the run's end, which the journal has lost.
 * - `damage`: the event log has facts of entries that the journal has lost. An operator decides how the run continues.
 */
export type Remedy = 'none' | 'end' | 'damage';

export interface Findings {
  /** Ids of facts that follow from the journal and are not in the event log, in order. */
  readonly missing: readonly string[];
  /** Facts in the event log that do not follow from the journal. */
  readonly strays: readonly FactMark[];
  readonly remedy: Remedy;
}

/** Compares the journal of a run with its facts. Pure. */
export function reconcile({ entries, hasEnded, derived, stored }: RunEvidence): Findings {
  const hashes = new Map(entries.map(({ version, hash }) => [version, hash]));
  const strays = stored.filter(({ id, version }) => hashes.get(version) !== hashOf(id));
  const known = new Set(stored.map(({ id }) => id));
  // A run has one terminal fact: a second one is never published.
  const isEndStored = stored.some(({ terminal }) => terminal);
  const missing = derived.filter(({ id, terminal }) => !known.has(id) && !(terminal && isEndStored));
  return { missing: missing.map(({ id }) => id), strays, remedy: remedyOf(strays, hasEnded) };
}

function remedyOf(strays: readonly FactMark[], hasEnded: boolean): Remedy {
  if (strays.length === 0 || hasEnded) return 'none';
  return strays.some(({ terminal }) => terminal) ? 'end' : 'damage';
}

/** The hash of the entry that a fact follows from. */
const hashOf = (factId: string): string => factId.slice(0, factId.lastIndexOf('.'));
