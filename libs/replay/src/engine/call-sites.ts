/**
 * Where the process called the effects that failed. Not in `stack` of their errors: the process can read that, and a
 * recorded run must see the same text when it is replayed.
 */
const callSites = new WeakMap<object, Error>();

/** Records where the effect of this error was called. @param site an error that was created by the call */
export function recordCallSite(error: object, site: Error | undefined): void {
  if (site) callSites.set(error, site);
}

/** The error whose stack shows where the failed effect was called; the error itself if that is not known. */
export const callSiteOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null ? (callSites.get(error) ?? error) : error;
