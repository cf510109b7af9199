/** The process id in the journal of a run that has no process yet. */
export const BARE_RUN = 'bare-run';
