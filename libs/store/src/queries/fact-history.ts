import { type AnyEvent, NO_REQUEST } from '@reins/contracts';
import { sql } from 'kysely';
import type { Database } from '../database.ts';
import type { LogEvent } from '../projection/log-event.ts';
import type { FactHistory } from '../projection/project.ts';
import type { StateRows } from '../read-model.ts';
import type { EventRow } from '../tables/events.ts';

/**
 * Reads the projected facts of runs, and the facts of their parents that name them.
 * @param known the current rows of the runs
 * @param isNew whether an event belongs to the batch and is not projected yet
 */
export async function factHistory(
  db: Database,
  runs: readonly string[],
  known: StateRows,
  isNew: (id: string) => boolean,
): Promise<FactHistory> {
  const history = new Map<string, LogEvent[]>(runs.map((run) => [run, []]));
  if (runs.length === 0) return history;
  const parents = known.requests.flatMap((row) => (history.has(row.request_id) ? [row.parent_request_id] : []));
  const rows = await db
    .selectFrom('events')
    .selectAll()
    .where('version', 'is not', null)
    .where(sql<boolean>`request_id = any(${runs}) or (type = 'runtime.child.started' and request_id = any(${parents}))`)
    .execute();
  for (const row of rows) {
    if (row.request_id === NO_REQUEST || isNew(row.ce_id)) continue;
    const event = logEvent(row);
    history.get(row.request_id)?.push(event);
    if (event.body.type === 'runtime.child.started') history.get(event.body.childRequestId)?.push(event);
  }
  return history;
}

/** The event that a row was written from. */
export function logEvent({ ce_id, seq, subject, source, occurred_at, version, causation, body }: EventRow): LogEvent {
  return {
    id: ce_id,
    seq,
    subject,
    source,
    time: occurred_at,
    ...(version !== null && { version }),
    ...(causation !== null && { causation }),
    body: body as unknown as AnyEvent,
  };
}
