import { type Blobs, type Bus, inline, lastOf } from '@reins/bus';
import { HEADERS, parseJournalSubject, type RunAddress } from '@reins/contracts';
import { decodeCommit, type Entry } from '@reins/journal';

const STREAM = 'JOURNAL';
const TIMERS = 'INBOX';
/** Journals looked at together. */
const AT_ONCE = 64;
const TERMINAL: ReadonlySet<string> = new Set([
  'RUN_COMPLETED',
  'RUN_FAILED',
  'RUN_CANCELLED',
  'RUN_HALTED',
  'RUN_ARCHIVED',
]);

/**
 * The runs that a new owner of a partition brings into memory: those that have not ended, for their deadlines' sake. One whose next
 * timer is in the stream needs no owner before that is due: nothing is owed from before the timer was set.
 */
export async function liveRuns(bus: Bus, blobs: Blobs, partition: number): Promise<RunAddress[]> {
  const info = await bus.jsm.streams.info(STREAM, { subjects_filter: `journal.${partition}.>` });
  const runs = Object.keys(info.state.subjects ?? {}).flatMap((subject) => {
    const run = parseJournalSubject(subject);
    return run ? [{ subject, run }] : [];
  });
  const timers = await timersOf(bus, partition);
  const live: RunAddress[] = [];
  for (let from = 0; from < runs.length; from += AT_ONCE) {
    const batch = runs.slice(from, from + AT_ONCE);
    const open = await Promise.all(
      batch.map(({ subject, run }) => needsOwner(bus, blobs, subject, timers.get(nameOf(run)) ?? [])),
    );
    live.push(
      ...batch.filter((_, index) => open[index]).map(({ run }) => ({ workspaceId: run.workspaceId, runId: run.runId })),
    );
  }
  return live;
}

const nameOf = ({ workspaceId, runId }: RunAddress): string => `${workspaceId}.${runId}`;

/** The subjects of a partition's timers in the stream, by the run that they are for. */
async function timersOf(bus: Bus, partition: number): Promise<ReadonlyMap<string, readonly string[]>> {
  const info = await bus.jsm.streams.info(TIMERS, { subjects_filter: `schedule.${partition}.>` });
  return Map.groupBy(Object.keys(info.state.subjects ?? {}), (subject) => subject.split('.').slice(2, 4).join('.'));
}

async function needsOwner(bus: Bus, blobs: Blobs, journal: string, timers: readonly string[]): Promise<boolean> {
  const last = await lastOf(bus, STREAM, journal);
  if (!last) return false;
  const entry = decodeCommit(await inline(blobs, last.data), journal).entries.at(-1);
  if (!isOpen(entry)) return false;
  const set = await Promise.all(timers.map((timer) => lastOf(bus, TIMERS, timer)));
  return !isAsleep(
    entry,
    set.map((timer) => timer?.header(HEADERS.version)),
  );
}

/** Whether a run whose journal ends in this entry has not ended. */
export const isOpen = (last: Entry | undefined): last is Entry => last !== undefined && !TERMINAL.has(last.type);

/** Whether one of a run's timers in the stream was set after its last entry. @param versions those that the timers name */
export const isAsleep = (last: Entry, versions: readonly (string | undefined)[]): boolean =>
  versions.includes(String(last.version));
