import { join } from 'node:path';

/** The layout version in the `run.json` of Reins. */
export const LAYOUT_VERSION = 'reins.run-directory.v1';

/** The layout version that all generations of babysitter run directories share. */
export const LEGACY_LAYOUT_VERSION = '2026.01-storage-preview';

/** The paths in a run directory. */
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
  /** Files that are no longer used: leftovers of crashes, and entries that a repair dropped. */
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
 * Parses the file name of an entry. Accepts lower case, which other file systems may produce. Undefined for other
 * files, such as leftovers of a crash.
 */
export function parseEntryName(name: string): EntryName | undefined {
  const [, seq, ulid] = ENTRY_NAME.exec(name) ?? [];
  return seq === undefined || ulid === undefined ? undefined : { seq: Number(seq), ulid: ulid.toUpperCase() };
}

export function entryFileName({ seq, ulid }: EntryName): string {
  return `${numberOf(seq)}.${ulid}.json`;
}

/** The version of an entry as its file name has it. */
export const numberOf = (seq: number): string => String(seq).padStart(6, '0');

/** Whether an id is a ULID, as babysitter uses for effects. */
export const isUlid = (text: string): boolean => /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text);
