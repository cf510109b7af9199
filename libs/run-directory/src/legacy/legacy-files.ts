import { hash } from 'node:crypto';
import { isAbsolute, join, normalize } from 'node:path';
import { isObject, type JsonObject, type JsonValue, type Problem } from '@reins/contracts';
import { prettyJson, readRegular } from '../store/files.ts';
import { corruptFile, type EntryFile } from '../store/journal-files.ts';

/** An event in a babysitter journal. */
export interface LegacyEvent {
  readonly type: string;
  readonly recordedAt: string;
  readonly data: JsonObject;
}

/** @returns the event in a file, or the problem of the file */
export function legacyEventOf(file: EntryFile, value: Readonly<Record<string, unknown>>): LegacyEvent | Problem {
  const { checksum: _, ...event } = value;
  const { type = 'UNKNOWN', recordedAt, data = {} } = event;
  if (typeof type !== 'string' || !isObject(data)) return corruptFile(file, 'it is not an event');
  const time = new Date(typeof recordedAt === 'string' ? recordedAt : 0);
  return { type, recordedAt: (Number.isNaN(time.getTime()) ? new Date(0) : time).toISOString(), data };
}

/** Whether the checksum of a file matches its content. A file without a checksum passes. */
export function isChecksumRight({ checksum, ...event }: Readonly<Record<string, unknown>>): boolean {
  return checksum === undefined || checksum === hash('sha256', prettyJson(event));
}

/** Babysitter names large values after their content: `blobs/result-<sha256>.json`. */
const HASH_IN_NAME = /\/blobs\/[a-z]+-([0-9a-f]{64})\.json$/;

/** The files of a babysitter run, by run-relative reference. */
export class LegacyFiles {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /**
   * The JSON at a reference. Undefined when there is none, when it is outside of the run directory, or when its content
   * does not match the hash in its name.
   */
  json(reference: JsonValue | undefined): JsonValue | undefined {
    if (typeof reference !== 'string' || isAbsolute(reference) || normalize(reference).startsWith('..'))
      return undefined;
    const path = join(this.#root, reference);
    try {
      const text = readRegular(path).toString('utf8');
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
