import {
  type Blobs,
  type Bus,
  inline,
  isPermanent,
  lastMessagePerSubject,
  readSubject,
  type StoredMessage,
} from '@reins/bus';
import { HEADERS, parseJournalSubject, type RunAddress } from '@reins/contracts';
import { type CommitEnd, decodeCommit, type Entry, endOfCommit, hasEnded } from '@reins/journal';
import { type LiveRunSnapshot, runKeyOf } from './live-run-index.ts';

const STREAM = 'JOURNAL';
const TIMERS = 'INBOX';

/** The runs of a partition, as its new owner finds them. */
export interface LiveRuns {
  /** The runs that the owner loads into memory. */
  readonly owned: readonly RunAddress[];
  /** All runs that have not ended, by key, with the version at which each is settled; 0 when that is unknown. */
  readonly open: ReadonlyMap<string, number>;
  /** The sequence up to which the stream was read. */
  readonly position: number;
}

/** The version of a run's last entry. The type is known when the entry was read from the stream. */
export type LastEntry = { readonly version: number; readonly type?: string };

/**
 * Finds the runs that the new owner of a partition loads into memory.
 * - Runs that have not ended are loaded, because their deadlines are kept in memory.
 * - A dormant run is not loaded: its next timer is in the stream, and nothing from before that timer is outstanding.
 * - A run that ended after the snapshot is loaded, because its terminal fact may not have been published.
 * @param snapshot of the previous owner: only its runs and later commits are read. Without it, the end of every journal
 * of the partition is read.
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

/** Reads the last commit of every journal. */
async function liveOfAll(bus: Bus, blobs: Blobs, partition: number): Promise<LiveRuns> {
  const { state } = await bus.jsm.streams.info(STREAM);
  const runs = new Map<string, LastEntry>();
  await lastMessagePerSubject(bus, STREAM, subjectsOf(partition), (message) => {
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

/** The runs of a snapshot by key. */
export const runsOf = ({ runs }: LiveRunSnapshot): Map<string, LastEntry> =>
  new Map(Object.entries(runs).map(([name, version]) => [name, { version }]));

/**
 * @param dormant the runs whose next timer was scheduled after their last entry
 * @param position the sequence up to which the stream was read
 */
export function liveRunsAmong(
  dormant: ReadonlySet<string>,
  runs: ReadonlyMap<string, LastEntry>,
  position: number,
): LiveRuns {
  const owned = [...runs.keys()].filter((name) => !dormant.has(name)).map(addressOf);
  const open = [...runs].map(([name, known]) => [name, dormant.has(name) ? known.version : settledAt(known)] as const);
  return { owned, open: new Map(open), position };
}

/** If the journal grew after the snapshot, the follow-ups of its last commit may be outstanding. */
const settledAt = ({ type, version }: LastEntry): number => (type === undefined ? version : 0);

const subjectsOf = (partition: number): string => `journal.${partition}.>`;

/** Undefined for a subject that is not a journal. */
const runKeyIn = (subject: string): string | undefined => {
  const run = parseJournalSubject(subject);
  return run && runKeyOf(run);
};

const addressOf = (name: string): RunAddress => {
  const [workspaceId = '', runId = ''] = name.split('.');
  return { workspaceId, runId };
};

/** Stands for an unreadable last commit. The run counts as live, so that its owner loads it and ends it. */
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

/** The runs that have not ended and whose next timer is in the stream. */
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

/** The key of the run in the subject of a scheduled timer: `schedule.<p>.<ws>.<run>.…`. */
const runOf = (timer: string): string => timer.split('.').slice(2, 4).join('.');

/** Whether a journal with this last entry belongs to a run that has not ended. */
export const isOpen = (last: Entry | undefined): last is Entry => last !== undefined && !hasEnded(last.type);

/** Whether a scheduled timer of the run was set after its last entry. @param versions the versions of its timers */
export const isDormant = (last: Pick<Entry, 'version'>, versions: readonly (string | undefined)[]): boolean =>
  versions.includes(String(last.version));
