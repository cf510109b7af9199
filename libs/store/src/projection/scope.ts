/** What a row belongs to: a request, a session, or a message of the event log. */
export type ScopeName = 'request' | 'session' | 'message';

export interface Scope {
  /** The columns that name what a row belongs to. */
  readonly columns: readonly string[];
  /**
   * SQL condition on a row that a rebuild keeps, because the event log no longer has what it follows from. `$1`: the
   * generation of the log; `$2`: its first sequence.
   */
  readonly retained: string;
}

const RETAINED_REQUESTS = 'select request_id from retained_requests';

export const SCOPES: Readonly<Record<ScopeName, Scope>> = {
  request: { columns: ['request_id'], retained: `request_id in (${RETAINED_REQUESTS})` },
  session: {
    columns: ['workspace_id', 'session_id'],
    retained: `(workspace_id, session_id) in (
      select workspace_id, session_id from public.requests where request_id in (${RETAINED_REQUESTS}))`,
  },
  message: { columns: ['generation', 'seq'], retained: 'generation <> $1 or seq < $2' },
};
