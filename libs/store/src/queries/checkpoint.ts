import type { Database } from '../database.ts';
import { CHECKPOINTS } from '../schema/tables.ts';
import { insertRows } from '../write/unnest.ts';

/** How far the log is projected, and of which stream that is true. */
export interface Checkpoint {
  /** Identity of the stream: its name and when it was created. */
  readonly stream: string;
  /** Counts the streams that rows were read from: a log that was replaced or set back starts the next one. */
  readonly generation: number;
  /** Sequence of the last message projected; 0 = none. */
  readonly seq: number;
  /** Id of that message's event, where it is one. */
  readonly ceId?: string;
}

const NAME = 'read-model';

export async function readCheckpoint(db: Database): Promise<Checkpoint | undefined> {
  const row = await db.selectFrom('projection_checkpoints').selectAll().where('name', '=', NAME).executeTakeFirst();
  if (!row) return undefined;
  const { stream, generation, seq, ce_id } = row;
  return { stream, generation, seq, ...(ce_id !== null && { ceId: ce_id }) };
}

export async function writeCheckpoint(db: Database, { stream, generation, seq, ceId }: Checkpoint): Promise<void> {
  const row = { name: NAME, stream, generation, seq, ce_id: ceId ?? null, updated_at: new Date().toISOString() };
  await insertRows(CHECKPOINTS, [row], 'replace').execute(db);
}
