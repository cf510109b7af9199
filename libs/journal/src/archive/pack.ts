import { promisify } from 'node:util';
import { gunzipSync, gzip } from 'node:zlib';
import { isObject, ReinsError, type RunAddress } from '@reins/contracts';
import { decodeCommit, encodeCommit } from '../entries/commit-codec.ts';
import { EMPTY_HEAD, type Entry, type EntryDraft, type Head } from '../entries/entry.ts';
import type { RunState } from '../state/run-state.ts';
import { assertVerified } from '../verify/verify-entries.ts';

const gzipped = promisify(gzip);

/** Compresses the journal of one run. */
const compressed = (body: Uint8Array): Promise<Uint8Array> => gzipped(body, { level: 9 });

/** The first line of a pack. */
const FORMAT = 'reins.archive.v1';

/** One run in a pack: the byte range of its journal, counted from the end of the index. */
interface IndexEntry extends RunAddress {
  readonly offset: number;
  readonly length: number;
}

export interface FinishedJournal {
  readonly run: RunAddress;
  readonly entries: readonly Entry[];
}

/**
 * Packs journals of finished runs into one file: a line with the format, a line with the index, then the journals. Each
 * journal is compressed separately, so that one can be read alone. The same journals give the same bytes.
 * @param compress compresses a journal with gzip; the simulation replaces it, because gzip takes real time
 */
export async function packJournals(
  journals: readonly FinishedJournal[],
  compress: (body: Uint8Array) => Promise<Uint8Array> = compressed,
): Promise<Uint8Array> {
  const bodies = await Promise.all(journals.map(({ entries }) => compress(encodeCommit({ entries, epoch: 0 }))));
  let offset = 0;
  const index = journals.map(({ run }, i): IndexEntry => {
    const length = bodies[i]?.length ?? 0;
    const { workspaceId, runId } = run;
    const entry = { workspaceId, runId, offset, length };
    offset += length;
    return entry;
  });
  return Buffer.concat([Buffer.from(`${FORMAT}\n${JSON.stringify(index)}\n`), ...bodies]);
}

/**
 * Returns the verified journal of one run from a pack.
 * @throws ReinsError `journal_corrupt` when the run is missing or its journal is corrupted
 */
export function unpackJournal(pack: Uint8Array, run: RunAddress): Entry[] {
  const { index, bodies } = openPack(pack);
  const found = index.find(({ workspaceId, runId }) => workspaceId === run.workspaceId && runId === run.runId);
  if (!found) throw corruptPack(`run ${run.runId} is not in it`);
  const entries = [
    ...decodeCommit(decompress(bodies.subarray(found.offset, found.offset + found.length)), 'archive').entries,
  ];
  assertVerified(entries, run);
  return entries;
}

/** The unverified journals in a pack, as text, one after the other; none when it is not a pack. */
export function* journalTextsIn(pack: Uint8Array): Generator<Uint8Array> {
  if (!text(pack.subarray(0, FORMAT.length + 1)).startsWith(`${FORMAT}\n`)) return;
  const { index, bodies } = openPack(pack);
  for (const { offset, length } of index) yield decompress(bodies.subarray(offset, offset + length));
}

function openPack(pack: Uint8Array): { readonly index: readonly IndexEntry[]; readonly bodies: Uint8Array } {
  const first = pack.indexOf(NEWLINE);
  const second = pack.indexOf(NEWLINE, first + 1);
  if (first < 0 || second < 0 || text(pack.subarray(0, first)) !== FORMAT)
    throw corruptPack(`its first line is not ${FORMAT}`);
  return { index: indexOf(text(pack.subarray(first + 1, second))), bodies: pack.subarray(second + 1) };
}

function indexOf(line: string): readonly IndexEntry[] {
  try {
    const value: unknown = JSON.parse(line);
    if (Array.isArray(value) && value.every(isIndexEntry)) return value;
  } catch {
    // reported below
  }
  throw corruptPack('its index cannot be read');
}

function isIndexEntry(value: unknown): value is IndexEntry {
  if (!isObject(value)) return false;
  const { workspaceId, runId, offset, length } = value;
  return (
    typeof workspaceId === 'string' &&
    typeof runId === 'string' &&
    Number.isSafeInteger(offset) &&
    Number.isSafeInteger(length)
  );
}

function decompress(body: Uint8Array): Uint8Array {
  try {
    return gunzipSync(body);
  } catch (cause) {
    throw corruptPack('a journal in it cannot be decompressed', cause);
  }
}

const NEWLINE = 10;
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

function corruptPack(reason: string, cause?: unknown): ReinsError {
  return new ReinsError({ code: 'journal_corrupt', message: `archive: ${reason}`, path: 'archive' }, { cause });
}

/** The entry that stays in the stream after the other entries of a run were archived. */
export function archiveStub(
  state: RunState,
  archiveRef: { readonly sha256: string; readonly size: number },
): EntryDraft<'RUN_ARCHIVED'> {
  if (!state.end) throw new TypeError(`run ${state.run.runId} has not ended`);
  const terminalType = `RUN_${state.end.status.toUpperCase()}`;
  return { type: 'RUN_ARCHIVED', data: { archiveRef, headHash: state.head.hash, terminalType } };
}

/** The version and hash of the last entry. */
export function headOf(entries: readonly Entry[]): Head {
  const last = entries.at(-1);
  return last ? { version: last.version, hash: last.hash } : EMPTY_HEAD;
}
