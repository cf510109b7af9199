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

/** One run in a pack: where its bytes are, counted from the end of the index. */
interface IndexEntry extends RunAddress {
  readonly offset: number;
  readonly length: number;
}

export interface FinishedJournal {
  readonly run: RunAddress;
  readonly entries: readonly Entry[];
}

/**
 * Journals of finished runs as one file: a line with its format, a line with its index, then each journal compressed by itself, so that one
 * is read without the others. The same journals give the same bytes.
 * @param compress makes gzip of a journal; for those who do not want that to take real time
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
 * The journal of one run out of a pack, verified.
 * @throws ReinsError `journal_corrupt` when it is not there, or not whole
 */
export function unpackJournal(pack: Uint8Array, run: RunAddress): Entry[] {
  const { index, bodies } = opened(pack);
  const found = index.find(({ workspaceId, runId }) => workspaceId === run.workspaceId && runId === run.runId);
  if (!found) throw corruptPack(`it does not have run ${run.runId}`);
  const entries = [
    ...decodeCommit(inflated(bodies.subarray(found.offset, found.offset + found.length)), 'archive').entries,
  ];
  assertVerified(entries, run);
  return entries;
}

/** The runs that a pack has. */
export function runsOfPack(pack: Uint8Array): RunAddress[] {
  return opened(pack).index.map(({ workspaceId, runId }) => ({ workspaceId, runId }));
}

function opened(pack: Uint8Array): { readonly index: readonly IndexEntry[]; readonly bodies: Uint8Array } {
  const first = pack.indexOf(NEWLINE);
  const second = pack.indexOf(NEWLINE, first + 1);
  if (first < 0 || second < 0 || text(pack.subarray(0, first)) !== FORMAT)
    throw corruptPack(`it does not begin as a ${FORMAT}`);
  return { index: indexOf(text(pack.subarray(first + 1, second))), bodies: pack.subarray(second + 1) };
}

function indexOf(line: string): readonly IndexEntry[] {
  try {
    const value: unknown = JSON.parse(line);
    if (Array.isArray(value) && value.every(isIndexEntry)) return value;
  } catch {
    // told below
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

function inflated(body: Uint8Array): Uint8Array {
  try {
    return gunzipSync(body);
  } catch (cause) {
    throw corruptPack('a journal in it cannot be decompressed', cause);
  }
}

const NEWLINE = 10;
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

function corruptPack(wrong: string, cause?: unknown): ReinsError {
  return new ReinsError({ code: 'journal_corrupt', message: `archive: ${wrong}`, path: 'archive' }, { cause });
}

/** The entry that stays in the stream for a run whose others are in the archive. */
export function archiveStub(
  state: RunState,
  archiveRef: { readonly sha256: string; readonly size: number },
): EntryDraft<'RUN_ARCHIVED'> {
  if (!state.end) throw new TypeError(`run ${state.run.runId} has not ended`);
  const terminalType = `RUN_${state.end.status.toUpperCase()}`;
  return { type: 'RUN_ARCHIVED', data: { archiveRef, headHash: state.head.hash, terminalType } };
}

/** Where the entries of a pack end. */
export function headOf(entries: readonly Entry[]): Head {
  const last = entries.at(-1);
  return last ? { version: last.version, hash: last.hash } : EMPTY_HEAD;
}
