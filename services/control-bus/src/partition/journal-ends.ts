const ENDS: ReadonlySet<string> = new Set([
  'RUN_COMPLETED',
  'RUN_FAILED',
  'RUN_CANCELLED',
  'RUN_HALTED',
  'RUN_ARCHIVED',
]);

/** Whether a journal that ends in an entry of this type is that of a run that has ended. */
export const hasEnded = (type: string): boolean => ENDS.has(type);
