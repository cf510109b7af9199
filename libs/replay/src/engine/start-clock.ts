import type { Entry, EntryDraft } from '@reins/journal';
import { MARKS } from './marks.ts';

/**
 * A restarted process gets the time of the entry that caused the restart. After a replay the restart is recorded
 * later, so a mark keeps that time.
 */
export function clockMark(now: Date): EntryDraft {
  return { type: 'PROCESS_LOG', data: { label: MARKS.clock, message: now.toISOString() } };
}

/** The time of a start: that of its mark, or else when it was recorded. */
export function startsAt({ recordedAt }: Pick<Entry, 'recordedAt'>, before: readonly Entry[]): string {
  // Carried-over signals may be between mark and start.
  const mark = before.slice(-2).findLast(isClockMark);
  const time = String(mark?.data.message);
  return mark && !Number.isNaN(Date.parse(time)) ? time : recordedAt;
}

const isClockMark = (entry: Entry): entry is Entry<'PROCESS_LOG'> =>
  entry.type === 'PROCESS_LOG' && entry.data.label === MARKS.clock;
