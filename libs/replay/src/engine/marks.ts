/** Labels of log entries that hold data for the replay. */
export const MARKS = {
  /** The run takes the new code path of a patch. */
  patched: '@patched',
  /** The time of a restart. */
  clock: '@clock',
  /** Signals that are carried over to a restarted process. */
  carried: '@signals',
  /** The next entry is an end that the process did not decide. */
  externalEnd: 'run:halt',
} as const;

const LABELS: ReadonlySet<string> = new Set(Object.values(MARKS));

/** Renames labels of the process that would look like a mark. */
export const ownLabel = (label: string): string => (LABELS.has(label) ? `${label} (process)` : label);
