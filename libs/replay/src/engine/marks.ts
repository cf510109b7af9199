/** The labels of log lines by which a journal keeps what no entry of its own has. */
export const MARKS = {
  /** A place that the run passes the new way. */
  patched: '@patched',
  /** From when a new start counts. */
  clock: '@clock',
  /** The end behind it was declared by hand: the process did not come to it. */
  declared: 'run:halt',
} as const;

const LABELS: ReadonlySet<string> = new Set(Object.values(MARKS));

/** What a process says is no mark, whatever it calls it. */
export const ownLabel = (label: string): string => (LABELS.has(label) ? `${label} (process)` : label);
