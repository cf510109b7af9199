/** What a journal has as the id of the process of a run that has none yet. */
export const BARE_RUN = 'bare-run';
