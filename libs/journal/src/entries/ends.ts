import type { EntryType } from '@reins/contracts';

const ENDS: ReadonlySet<string> = new Set<EntryType>(['RUN_COMPLETED', 'RUN_FAILED', 'RUN_CANCELLED', 'RUN_HALTED']);

/** Whether a run ends with an entry of this type. */
export const isEnd = (type: string): boolean => ENDS.has(type);

/** Whether a journal whose last entry is of this type is that of a run that has ended: it is its end, or the stub of one that was archived. */
export const hasEnded = (type: string): boolean => isEnd(type) || type === ('RUN_ARCHIVED' satisfies EntryType);
