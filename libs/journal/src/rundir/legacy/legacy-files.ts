import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, join, normalize } from 'node:path';
import { isObject, type JsonObject, type JsonValue, type Problem } from '@reins/contracts';
import { prettyJson } from '../files.ts';
import { corruptFile, type EntryFile } from '../journal-files.ts';

/** An event as babysitter writes it. */
export interface LegacyEvent {
  readonly type: string;
  readonly recordedAt: string;
  readonly data: JsonObject;
}

/** @returns the event in a file, or what is wrong with it */
export function legacyEventOf(file: EntryFile, value: Readonly<Record<string, unknown>>): LegacyEvent | Problem {
  const { checksum: _, ...event } = value;
  const { type = 'UNKNOWN', recordedAt, data = {} } = event;
  if (typeof type !== 'string' || !isObject(data)) return corruptFile(file, 'it is not an event');
  const time = new Date(typeof recordedAt === 'string' ? recordedAt : 0);
  return { type, recordedAt: (Number.isNaN(time.getTime()) ? new Date(0) : time).toISOString(), data };
}

/** Whether the checksum of a file is that of its content; one without a checksum has nothing to be held against. */
export function isChecksumRight({ checksum, ...event }: Readonly<Record<string, unknown>>): boolean {
  return checksum === undefined || checksum === hash('sha256', prettyJson(event));
}

/** Large values are named after their content there: `blobs/result-<sha256>.json`. */
const HASH_IN_NAME = /\/blobs\/[a-z]+-([0-9a-f]{64})\.json$/;

/** What a legacy run keeps beside its journal, by its run-relative references. */
export class LegacyFiles {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /** The JSON a reference leads to; undefined when there is none, when it leads out of the run, or when its name has another hash. */
  json(reference: JsonValue | undefined): JsonValue | undefined {
    if (typeof reference !== 'string' || isAbsolute(reference) || normalize(reference).startsWith('..'))
      return undefined;
    const path = join(this.#root, reference);
    if (!existsSync(path)) return undefined;
    try {
      const text = readFileSync(path, 'utf8');
      const [, sha256] = HASH_IN_NAME.exec(reference) ?? [];
      if (sha256 !== undefined && hash('sha256', text) !== sha256) return undefined;
      return JSON.parse(text) as JsonValue;
    } catch {
      return undefined;
    }
  }

  object(reference: JsonValue | undefined): JsonObject | undefined {
    const value = this.json(reference);
    return isObject(value) ? value : undefined;
  }
}
