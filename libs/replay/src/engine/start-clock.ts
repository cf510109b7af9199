import type { Entry, EntryDraft } from '@reins/journal';
import { MARKS } from './marks.ts';

/**
 * A process that begins anew goes on at the time of what made it do so. Its entry has that time, too, unless a replay owed it: then it is
 * recorded later, and the journal must say from when it counts.
 */
export function clockMark(now: Date): EntryDraft {
  return { type: 'PROCESS_LOG', data: { label: MARKS.clock, message: now.toISOString() } };
}

/** From when a start counts: as the mark among what was recorded with it says, else when it was recorded. */
export function startsAt({ recordedAt }: Pick<Entry, 'recordedAt'>, before: readonly Entry[]): string {
  // The signals that were carried over may stand between them.
  const mark = before.slice(-2).findLast(isClockMark);
  const time = String(mark?.data.message);
  return mark && !Number.isNaN(Date.parse(time)) ? time : recordedAt;
}

const isClockMark = (entry: Entry): entry is Entry<'PROCESS_LOG'> =>
  entry.type === 'PROCESS_LOG' && entry.data.label === MARKS.clock;
