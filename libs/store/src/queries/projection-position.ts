import type { Database } from '../database.ts';
import { CHECKPOINTS } from '../tables/checkpoints.ts';
import { insertRows } from '../write/unnest.ts';

/** The position of the projection in the event log. */
export interface ProjectionPosition {
  /** Identity of the stream: its name and creation time. */
  readonly stream: string;
  /** Number of the stream that rows were read from. It increases when the log is replaced. */
  readonly generation: number;
  /** Sequence of the last projected message; 0 = none. */
  readonly seq: number;
  /** Event id of that message, if it has one. */
  readonly ceId?: string;
}

const NAME = 'read-model';

export async function readProjectionPosition(db: Database): Promise<ProjectionPosition | undefined> {
  const row = await db.selectFrom('projection_checkpoints').selectAll().where('name', '=', NAME).executeTakeFirst();
  if (!row) return undefined;
  const { stream, generation, seq, ce_id } = row;
  return { stream, generation, seq, ...(ce_id !== null && { ceId: ce_id }) };
}

export async function writeProjectionPosition(
  db: Database,
  { stream, generation, seq, ceId }: ProjectionPosition,
): Promise<void> {
  const row = { name: NAME, stream, generation, seq, ce_id: ceId ?? null, updated_at: new Date().toISOString() };
  await insertRows(CHECKPOINTS, [row], 'replace').execute(db);
}
