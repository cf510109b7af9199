import { type AnyEvent, NO_REQUEST } from '@reins/contracts';

/** The values of the key columns of a row, in their order. */
export type Key = readonly (string | number)[];

/** What a row belongs to: a request, a session, or a message of the event log. */
export type ScopeName = 'request' | 'session' | 'message';

export interface Scope {
  /** The columns that name what a row belongs to. */
  readonly columns: readonly string[];
  /** The values of these columns in the rows that an event may change. */
  keysOf(body: AnyEvent): readonly Key[];
  /**
   * SQL condition on a row that a rebuild keeps, because the event log no longer has what it follows from. `$1`: the
   * generation of the log; `$2`: its first sequence.
   */
  readonly retained: string;
}

const RETAINED_REQUESTS = 'select request_id from retained_requests';

export const SCOPES: Readonly<Record<ScopeName, Scope>> = {
  request: {
    columns: ['request_id'],
    keysOf: (body) => runsOf(body).map((requestId) => [requestId]),
    retained: `request_id in (${RETAINED_REQUESTS})`,
  },
  session: {
    columns: ['workspace_id', 'session_id'],
    keysOf: (body) => (body.requestId === NO_REQUEST ? [] : [[body.workspaceId, body.sessionId]]),
    retained: `(workspace_id, session_id) in (
      select workspace_id, session_id from public.requests where request_id in (${RETAINED_REQUESTS}))`,
  },
  message: { columns: ['generation', 'seq'], keysOf: () => [], retained: 'generation <> $1 or seq < $2' },
};

/** The runs whose rows an event may change. */
function runsOf(body: AnyEvent): readonly string[] {
  if (body.requestId === NO_REQUEST) return [];
  return body.type === 'runtime.child.started' ? [body.requestId, body.childRequestId] : [body.requestId];
}
