import { canonicalJson, isObject, ReinsError } from '@reins/contracts';
import type { Commit } from '../store/journal-store.ts';
import { entryText, readEntry } from './entry.ts';

/**
 * Encodes a commit as the bytes of one message. Canonical JSON (RFC 8785) has exactly one form, so reading detects
 * every changed byte of an entry.
 */
export function encodeCommit({ entries, epoch }: Commit): Uint8Array {
  return encoder.encode(commitText(entries.map(entryText), epoch));
}

const commitText = (entries: readonly string[], epoch: number): string =>
  `{"entries":[${entries.join(',')}],"epoch":${canonicalJson(epoch)}}`;

/**
 * Decodes a commit. Does not check that its entries follow each other: `verifyEntries` does.
 * @param where names the message in errors
 * @throws ReinsError `journal_corrupt`
 */
export function decodeCommit(bytes: Uint8Array, where = 'commit'): Commit {
  const text = textOf(bytes, where);
  const value = parse(text, where);
  if (!isCommit(value)) throw corruptCommit(where, 'it is not a commit');
  const read = value.entries.map(readEntry);
  const canonical = commitText(
    read.map((one) => one.text),
    value.epoch,
  );
  if (canonical !== text) throw corruptCommit(where, 'it is not in canonical form');
  return { entries: read.map(({ entry }) => entry), epoch: value.epoch };
}

/** The last entry of a commit, as far as the last bytes of the commit show it. */
export interface CommitEnd {
  readonly type: string;
  readonly version: number;
}

/**
 * Finds the last entry of a commit without parsing all of it. In canonical form its type and version are the last
 * members before the epoch, and no string of the data can match there.
 * @returns undefined when the bytes do not end like a commit
 */
export function endOfCommit(bytes: Uint8Array): CommitEnd | undefined {
  const tail = new TextDecoder().decode(bytes.subarray(-END_BYTES));
  const [, type, version] = END.exec(tail) ?? [];
  return type === undefined ? undefined : { type, version: Number(version) };
}

const END = /"type":"([A-Z_]+)","version":(\d{1,16})\}\],"epoch":\d{1,16}\}$/;
const END_BYTES = 128;

function textOf(bytes: Uint8Array, where: string): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw corruptCommit(where, 'it is not UTF-8', cause);
  }
}

function parse(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw corruptCommit(where, 'it is not JSON', cause);
  }
}

function isCommit(value: unknown): value is Commit {
  if (!isObject(value) || !hasMembers(value, COMMIT) || !Array.isArray(value.entries)) return false;
  return isEpoch(value.epoch) && value.entries.length > 0 && value.entries.every(isEntry);
}

const isEpoch = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

function isEntry(value: unknown): boolean {
  if (!isObject(value) || !hasMembers(value, ENTRY)) return false;
  const { version, type, recordedAt, data, prev, hash } = value;
  const texts = [type, recordedAt, prev, hash].every((text) => typeof text === 'string');
  return texts && Number.isSafeInteger(version) && isObject(data) && RECORDED_AT.test(recordedAt as string);
}

const COMMIT = ['entries', 'epoch'];
const ENTRY = ['data', 'hash', 'prev', 'recordedAt', 'type', 'version'];
const RECORDED_AT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?Z$/;

/** Requires exactly these members: the hash would not cover an extra one. */
function hasMembers(value: Readonly<Record<string, unknown>>, names: readonly string[]): boolean {
  return Object.keys(value).length === names.length && names.every((name) => Object.hasOwn(value, name));
}

function corruptCommit(where: string, reason: string, cause?: unknown): ReinsError {
  return new ReinsError({ code: 'journal_corrupt', message: `${where}: ${reason}`, path: where }, { cause });
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
