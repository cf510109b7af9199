import type { Bus } from '@reins/bus';
import { defined, HEADERS } from '@reins/contracts';
import { type Database, isProjected, type ProjectionPosition } from '@reins/store';
import { LOG_STREAM, type LogState } from './start-position.ts';

/** How many messages are compared at a time: some have no row, such as signals of fenced attempts. */
const COMPARED = 16;

/**
 * Finds a position up to which the rows follow from a log that was rolled back. It may be too early, never too late.
 * @param position where the projection was before
 */
export async function commonPosition(
  bus: Bus,
  db: Database,
  { stream, generation, seq }: ProjectionPosition,
  { firstSeq, lastSeq }: LogState,
): Promise<ProjectionPosition> {
  /** The newest message up to a sequence that has a row, and its event id. */
  const projectedUpTo = async (to: number): Promise<Pick<ProjectionPosition, 'seq' | 'ceId'> | undefined> => {
    for (let at = to; at > to - COMPARED && at >= firstSeq; at -= 1) {
      const message = await bus.jsm.streams.getMessage(LOG_STREAM, { seq: at });
      const ceId = message?.header.get(HEADERS.id);
      if (ceId && (await isProjected(db, { id: ceId, generation, seq: at }))) return { seq: at, ceId };
    }
    return undefined;
  };
  let common: Pick<ProjectionPosition, 'seq' | 'ceId'> = { seq: Math.max(0, firstSeq - 1) };
  let low = common.seq;
  let high = Math.min(seq, lastSeq);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const found = await projectedUpTo(middle);
    if (found) [common, low] = [found, middle];
    else high = middle - 1;
  }
  return { stream, generation, seq: common.seq, ...defined({ ceId: common.ceId }) };
}
