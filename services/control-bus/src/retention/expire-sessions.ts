import type { RunAddress, SessionRecord } from '@reins/contracts';
import type { Clock } from '../partition/clock.ts';
import type { JournalState } from './keep-reason.ts';

/** A session as stored in its bucket. */
export interface StoredSession {
  readonly key: string;
  readonly workspaceId: string;
  readonly value: SessionRecord;
  readonly revision: number;
}

export interface SessionExpiryPorts {
  readonly clock: Pick<Clock, 'now'>;
  readonly runsMs: number;
  /** The sessions that were last changed before this time, oldest first. */
  readonly sessions: (before: Date) => AsyncIterable<StoredSession>;
  readonly journalOf: (run: RunAddress) => Promise<JournalState>;
  /** Replaces a session that has not changed meanwhile. */
  readonly markSessionExpired: (session: StoredSession, record: SessionRecord) => Promise<boolean>;
  readonly isStopped: () => boolean;
}

/**
 * Expires the sessions that have not changed for as long as runs are kept, have no open request, and whose last run has
 * expired. Their records say so for a time, so that no request continues the conversation without its history.
 * @returns the number of sessions that expired
 */
export async function expireSessions(ports: SessionExpiryPorts): Promise<number> {
  const now = ports.clock.now();
  let expired = 0;
  for await (const session of ports.sessions(new Date(now.getTime() - ports.runsMs))) {
    if (ports.isStopped()) break;
    if (!(await isUnused(ports, session))) continue;
    const record = { state: {}, queued: [], expiredAt: now.toISOString() };
    if (await ports.markSessionExpired(session, record)) expired += 1;
  }
  return expired;
}

async function isUnused(ports: SessionExpiryPorts, { value, workspaceId }: StoredSession): Promise<boolean> {
  const { expiredAt, queued, running, state, left = [] } = value;
  if (expiredAt || running || queued.length > 0) return false;
  const last = new Set([...(state.lastRequestId ? [state.lastRequestId] : []), ...left.slice(-1)]);
  const journals = await Promise.all([...last].map((runId) => ports.journalOf({ workspaceId, runId })));
  return journals.every((journal) => journal === 'none');
}
