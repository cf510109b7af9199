import type { JsonObject, RunAddress } from '@reins/contracts';
import { type Entry, foldRun, type Position, type RunState } from '@reins/journal';
import { type EntryFile, isProblem, jsonOf } from '../store/journal-files.ts';
import { readJournalFolder } from '../store/journal-folder.ts';
import type { RunPaths } from '../store/layout.ts';
import type { RunDirectoryStore } from '../store/run-directory-store.ts';
import { RunBlobs } from '../values/run-blobs.ts';

/** An entry in its file; for a babysitter journal, the original event. */
export interface RunEvent {
  readonly seq: number;
  readonly ulid: string;
  readonly type: string;
  readonly recordedAt: string;
  readonly filename: string;
  readonly path: string;
  readonly data: JsonObject;
}

/** The content of a run directory, read once, from which all reports are made. */
export interface LoadedRun {
  readonly run: RunAddress;
  readonly paths: RunPaths;
  /** `run.json` */
  readonly metadata: JsonObject;
  readonly entries: readonly Entry[];
  readonly position: Position;
  readonly state: RunState;
  readonly files: readonly EntryFile[];
  readonly isLegacy: boolean;
  /** Values stored by reference, read on demand. */
  readonly blobs: RunBlobs;
}

/** @throws ReinsError `journal_corrupt`, naming the first invalid entry */
export async function readRun(store: RunDirectoryStore, run: RunAddress): Promise<LoadedRun> {
  const { journal, files, isLegacy } = await store.read(run);
  const { entries, position } = journal;
  const paths = store.pathsOf(run);
  return {
    run,
    paths,
    metadata: store.metadata(run),
    entries,
    position,
    state: foldRun(run, entries),
    files,
    isLegacy,
    blobs: new RunBlobs(paths),
  };
}

/** The events of the journal files. Each has the harness of the run, as in babysitter. */
export function eventsOf({ files, metadata }: Pick<LoadedRun, 'files' | 'metadata'>): RunEvent[] {
  const { harness } = metadata;
  const events = files.map(eventOf);
  if (typeof harness !== 'string') return events;
  return events.map((event) => ({ ...event, data: { harness, ...event.data } }));
}

/** The events in the files of an invalid journal that can be read, in the order of their names. */
export async function readableEvents(store: RunDirectoryStore, run: RunAddress): Promise<RunEvent[]> {
  const { files } = await readJournalFolder(store.pathsOf(run).journal);
  const named = files.flatMap(({ named: place, ...file }) => (place ? [{ ...file, ...place }] : []));
  const readable = named.toSorted((a, b) => a.seq - b.seq).filter((file) => !isProblem(jsonOf(file)));
  return eventsOf({ files: readable, metadata: store.metadata(run) });
}

export function eventOf(file: EntryFile): RunEvent {
  const value = jsonOf(file);
  const { type = 'UNKNOWN', recordedAt = '', data = {} } = isProblem(value) ? {} : (value as JsonObject);
  const { seq, ulid, name } = file;
  return {
    seq,
    ulid,
    type: String(type),
    recordedAt: String(recordedAt),
    filename: name,
    path: `journal/${name}`,
    data: data as JsonObject,
  };
}
