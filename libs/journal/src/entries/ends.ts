import type { EntryType } from '@reins/contracts';

const ENDS: ReadonlySet<string> = new Set<EntryType>(['RUN_COMPLETED', 'RUN_FAILED', 'RUN_CANCELLED', 'RUN_HALTED']);

/** Whether an entry of this type ends a run. */
export const isEnd = (type: string): boolean => ENDS.has(type);

/**
 * Whether a journal whose last entry has this type belongs to an ended run: the entry is the run's end, or the stub of
 * an archived run.
 */
export const hasEnded = (type: string): boolean => isEnd(type) || type === ('RUN_ARCHIVED' satisfies EntryType);
