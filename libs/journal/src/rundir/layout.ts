import { join } from 'node:path';

/** What our run directories are stamped with in `run.json`. */
export const LAYOUT_VERSION = 'reins.run-directory.v1';

/** The stamp that all generations of babysitter run directories share. */
export const LEGACY_LAYOUT_VERSION = '2026.01-storage-preview';

/** Where things lie in a run directory. */
export interface RunPaths {
  readonly root: string;
  readonly run: string;
  readonly inputs: string;
  readonly lock: string;
  readonly journal: string;
  readonly tasks: string;
  readonly state: string;
  readonly blobs: string;
  readonly process: string;
  /** What was found and belongs nowhere: leftovers of crashes, entries that a repair dropped. */
  readonly orphaned: string;
  readonly stateFile: string;
  readonly outputFile: string;
}

export function runPaths(root: string): RunPaths {
  const at = (...parts: string[]) => join(root, ...parts);
  return {
    root,
    run: at('run.json'),
    inputs: at('inputs.json'),
    lock: at('run.lock'),
    journal: at('journal'),
    tasks: at('tasks'),
    state: at('state'),
    blobs: at('blobs'),
    process: at('process'),
    orphaned: at('orphaned'),
    stateFile: at('state', 'state.json'),
    outputFile: at('state', 'output.json'),
  };
}

/** `000001.01M7XJBCZ9CG4KAGTT67SRQP49.json` */
export interface EntryName {
  readonly seq: number;
  readonly ulid: string;
}

const ENTRY_NAME = /^(\d{6,})\.([0-9A-HJKMNP-TV-Z]{26})\.json$/i;

/**
 * The entry a file name stands for, in whatever case its letters came back from other file systems; undefined for everything else that may lie there,
 * such as what a crash left behind.
 */
export function parseEntryName(name: string): EntryName | undefined {
  const [, seq, ulid] = ENTRY_NAME.exec(name) ?? [];
  return seq === undefined || ulid === undefined ? undefined : { seq: Number(seq), ulid: ulid.toUpperCase() };
}

export function entryFileName({ seq, ulid }: EntryName): string {
  return `${numberOf(seq)}.${ulid}.json`;
}

/** An entry's number as its file's name begins with it. */
export const numberOf = (seq: number): string => String(seq).padStart(6, '0');

/** An id with a time in it, as babysitter has for effects. */
export const isUlid = (text: string): boolean => /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text);
