import type { Bus } from '@reins/bus';
import { STREAM } from '../log/changes.ts';
import type { MemoryDatabase } from './database.ts';

/**
 * Erases the messages of forgotten records from the stream: the server overwrites them. A crash in between is resumed by
 * the next call.
 */
export async function eraseForgotten(bus: Bus, db: MemoryDatabase): Promise<void> {
  const outstanding = await db.selectFrom('erasures').select('seq').orderBy('seq').execute();
  for (const { seq } of outstanding) {
    await erase(bus, seq);
    await db.deleteFrom('erasures').where('seq', '=', seq).execute();
  }
}

async function erase(bus: Bus, seq: number): Promise<void> {
  const exists = async () => (await bus.jsm.streams.getMessage(STREAM, { seq })) !== null;
  if (!(await exists())) return;
  try {
    await bus.jsm.streams.deleteMessage(STREAM, seq);
  } catch (error) {
    // Another instance may have erased it meanwhile.
    if (await exists()) throw error;
  }
}
