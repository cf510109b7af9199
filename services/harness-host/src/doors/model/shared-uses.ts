import { type Reservation, sumOfUses } from './call-budget.ts';

/** What the runs of one request have used and reserved, as its hosts store it. */
export interface Uses {
  /** By run id, in the order of their first call. The oldest are in `earlier`. */
  readonly runs: Readonly<Record<string, Reservation>>;
  /** The sum of the runs that are not listed any more. */
  readonly earlier: Reservation;
  /** The number of the last write of each writer. So a writer knows whether a write without a reply was stored. */
  readonly writes: Readonly<Record<string, number>>;
}

/** What a stage adds to the uses of its run. */
export interface UseChange {
  readonly runId: string;
  readonly added: Reservation;
  /** For a reservation: what the earlier stages and attempts of the run have used, as the control bus knows it. */
  readonly used?: Reservation;
}

export const NO_USES: Uses = { runs: {}, earlier: { tokens: 0, costUsd: 0 }, writes: {} };

/** So many runs are listed, so that the value stays small. */
const LISTED_RUNS = 200;
/** Only the writers of now matter. */
const LISTED_WRITERS = 500;

/** What all runs have used and reserved. */
export const totalOf = ({ runs, earlier }: Uses): Reservation => sumOfUses([earlier, ...Object.values(runs)]);

/** The uses, with what the control bus knows of a run. Pure. */
export function usesWithKnown(uses: Uses, { runId, used }: UseChange): Uses {
  const own = runOf(uses, runId);
  if (!used || (!own && isSummed(uses, used))) return uses;
  const { tokens, costUsd } = own ?? { tokens: 0, costUsd: 0 };
  const known = { tokens: Math.max(tokens, used.tokens), costUsd: Math.max(costUsd, used.costUsd) };
  return { ...uses, runs: { ...uses.runs, [runId]: known } };
}

/** The uses after a change. A run that is not listed any more stays in the sum. Pure. */
export function usesAfter(uses: Uses, change: UseChange): Uses {
  const known = usesWithKnown(uses, change);
  const { runId, added } = change;
  const own = runOf(known, runId);
  if (!own) return { ...known, earlier: sumOfUses([known.earlier, added]) };
  return shortened({ ...known, runs: { ...known.runs, [runId]: sumOfUses([own, added]) } });
}

/** The uses with the number of this write. Pure. */
export function writtenBy(uses: Uses, writerId: string, number: number): Uses {
  const others = Object.entries(uses.writes).filter(([id]) => id !== writerId);
  return { ...uses, writes: { ...Object.fromEntries(others.slice(-LISTED_WRITERS)), [writerId]: number } };
}

/** A run that has used something was listed at its first call. */
const isSummed = ({ earlier }: Uses, used: Reservation): boolean =>
  earlier.tokens > 0 && (used.tokens > 0 || used.costUsd > 0);

const runOf = ({ runs }: Uses, runId: string): Reservation | undefined =>
  Object.hasOwn(runs, runId) ? runs[runId] : undefined;

function shortened(uses: Uses): Uses {
  const runs = Object.entries(uses.runs);
  if (runs.length <= LISTED_RUNS) return uses;
  const old = runs.slice(0, runs.length - LISTED_RUNS).map(([, use]) => use);
  return { ...uses, runs: Object.fromEntries(runs.slice(-LISTED_RUNS)), earlier: sumOfUses([uses.earlier, ...old]) };
}
