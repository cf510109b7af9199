import { type Blobs, type Bus, inline, isPermanent, lastOfEach, readSubject, type StoredMessage } from '@reins/bus';
import { HEADERS, parseJournalSubject, type RunAddress } from '@reins/contracts';
import { type CommitEnd, decodeCommit, type Entry, endOfCommit, hasEnded } from '@reins/journal';
import { type LiveRunSnapshot, runKeyOf } from './live-run-index.ts';

const STREAM = 'JOURNAL';
const TIMERS = 'INBOX';
/** What a new owner of a partition finds. */
export interface LiveRuns {
  /** Those that it brings into memory. */
  readonly owned: readonly RunAddress[];
  /** All that are not over, with the version that each settled at as far as that is known; 0 = it is not. */
  readonly open: ReadonlyMap<string, number>;
  /** Everything up to this sequence was looked at. */
  readonly position: number;
}

/** What is known of a run: the version of its last entry; its type where that was read now. */
export type LastEntry = { readonly version: number; readonly type?: string };

/**
 * The runs that a new owner of a partition brings into memory: those that have not ended, for their deadlines' sake. One whose next
 * timer is in the stream needs no owner before that is due: nothing is owed from before the timer was set. One that ended since the owner before
 * wrote its snapshot is brought in, too: its end may not have been told, and nobody else would do that.
 * @param snapshot what the owner before left: only its runs, and what came after it, are looked at. Without one, the end of every journal of the
 * partition is
 */
export async function liveRuns(
  bus: Bus,
  blobs: Blobs,
  partition: number,
  snapshot: LiveRunSnapshot | undefined,
): Promise<LiveRuns> {
  if (!snapshot) return liveOfAll(bus, blobs, partition);
  const runs = runsOf(snapshot);
  let position = snapshot.seq;
  for await (const message of readSubject(bus, STREAM, subjectsOf(partition), { fromSeq: snapshot.seq + 1 })) {
    position = message.seq;
    const name = runKeyIn(message.subject);
    if (name === undefined) continue;
    const end = await endOf(blobs, message);
    if (end.type === 'RUN_ARCHIVED') runs.delete(name);
    else runs.set(name, end);
  }
  return liveRunsAmong(await dormantAmong(bus, partition, runs), runs, position);
}

/** The costly way, for an owner that has no snapshot. */
async function liveOfAll(bus: Bus, blobs: Blobs, partition: number): Promise<LiveRuns> {
  const { state } = await bus.jsm.streams.info(STREAM);
  const runs = new Map<string, LastEntry>();
  await lastOfEach(bus, STREAM, subjectsOf(partition), (message) => {
    const end = endOfCommit(message.data);
    if (!end) return endOf(blobs, message).then((known) => record(message.subject, known));
    record(message.subject, end);
  });
  return liveRunsAmong(await dormantAmong(bus, partition, runs), runs, state.last_seq);

  function record(subject: string, end: CommitEnd): void {
    const name = runKeyIn(subject);
    if (name !== undefined && !hasEnded(end.type)) runs.set(name, end);
  }
}

/** What a snapshot knows. */
export const runsOf = ({ runs }: LiveRunSnapshot): Map<string, LastEntry> =>
  new Map(Object.entries(runs).map(([name, version]) => [name, { version }]));

/** @param asleep those whose next timer was set after their last entry · @param position up to which the stream was looked at */
export function liveRunsAmong(
  dormant: ReadonlySet<string>,
  runs: ReadonlyMap<string, LastEntry>,
  position: number,
): LiveRuns {
  const owned = [...runs.keys()].filter((name) => !dormant.has(name)).map(addressOf);
  const open = [...runs].map(([name, known]) => [name, dormant.has(name) ? known.version : settledAt(known)] as const);
  return { owned, open: new Map(open), position };
}

/** Of a run whose journal moved since the snapshot it is not known whether what follows from its last commit was done. */
const settledAt = ({ type, version }: LastEntry): number => (type === undefined ? version : 0);

const subjectsOf = (partition: number): string => `journal.${partition}.>`;

/** Undefined for what is no journal, whoever put it there. */
const runKeyIn = (subject: string): string | undefined => {
  const run = parseJournalSubject(subject);
  return run && runKeyOf(run);
};

const addressOf = (name: string): RunAddress => {
  const [workspaceId = '', runId = ''] = name.split('.');
  return { workspaceId, runId };
};

/** The end of a journal that cannot be read is no end: whoever brings its run into memory finds the damage, and ends it. */
const UNREADABLE: CommitEnd = { type: '', version: 0 };

async function endOf(blobs: Blobs, { data, subject }: StoredMessage): Promise<CommitEnd> {
  const end = endOfCommit(data);
  if (end) return end;
  try {
    return decodeCommit(await inline(blobs, data), subject).entries.at(-1) as Entry;
  } catch (error) {
    if (!isPermanent(error)) throw error;
    return UNREADABLE;
  }
}

/** Those that have not ended, and whose next timer is in the stream. */
async function dormantAmong(
  bus: Bus,
  partition: number,
  runs: ReadonlyMap<string, LastEntry>,
): Promise<ReadonlySet<string>> {
  const dormant = new Set<string>();
  if (runs.size === 0) return dormant;
  for await (const timer of readSubject(bus, TIMERS, `schedule.${partition}.>`)) {
    const name = runOf(timer.subject);
    const known = runs.get(name);
    if (!known || hasEnded(known.type ?? '')) continue;
    if (isDormant(known, [timer.header(HEADERS.version)])) dormant.add(name);
  }
  return dormant;
}

/** The run that a timer in the stream is for: `schedule.<p>.<ws>.<run>.…`. */
const runOf = (timer: string): string => timer.split('.').slice(2, 4).join('.');

/** Whether a run whose journal ends in this entry has not ended. */
export const isOpen = (last: Entry | undefined): last is Entry => last !== undefined && !hasEnded(last.type);

/** Whether one of a run's timers in the stream was set after its last entry. @param versions those that the timers name */
export const isDormant = (last: Pick<Entry, 'version'>, versions: readonly (string | undefined)[]): boolean =>
  versions.includes(String(last.version));
