import { type BlobRef, canonicalJson, isObject, type JsonValue, ReinsError, type RunAddress } from '@reins/contracts';
import { EMPTY_HEAD, type Entry, type Head, hashJson } from '../entries/entry.ts';
import { refOf } from '../large/large-values.ts';
import { type BundledCode, bundledCode, codeInBundle, type ProcessCode } from '../process-code/process-code.ts';
import type { JournalStore } from '../store/journal-store.ts';
import { assertVerified } from '../verify/verify-entries.ts';

const FORMAT = 'reins.journal.v1';

/** A journal exported from its store as one document, to keep, send, verify and read elsewhere. */
export interface JournalBundle {
  readonly format: typeof FORMAT;
  readonly run: RunAddress;
  readonly entries: readonly Entry[];
  /**
   * Values that entries refer to, keyed by the hash of their canonical JSON. The hash chain covers them through
   * these hashes.
   */
  readonly values?: LargeValuesByHash;
  /** The code of the processes. The entries have its hashes. */
  readonly code?: BundledCode;
}

export type LargeValuesByHash = Readonly<Record<string, JsonValue>>;

/**
 * Returns the bundle as canonical JSON, so a journal with its values and code has exactly one bundle.
 * @throws ReinsError `journal_corrupt` when the entries are invalid
 */
export function exportJournal(
  run: RunAddress,
  entries: readonly Entry[],
  values: LargeValuesByHash = {},
  code: readonly ProcessCode[] = [],
): Uint8Array {
  assertVerified(entries, run);
  const { workspaceId, runId } = run;
  const included = {
    ...(Object.keys(values).length > 0 && { values }),
    ...(code.length > 0 && { code: bundledCode(code) }),
  };
  return new TextEncoder().encode(canonicalJson({ format: FORMAT, run: { workspaceId, runId }, entries, ...included }));
}

/** The references to large values in these entries. */
export function referencedValues(entries: readonly Entry[]): BlobRef[] {
  return entries.flatMap((entry) => refOf(entry) ?? []);
}

/**
 * Reads a bundle. `name` is its name in errors, such as its file.
 * @throws ReinsError `journal_corrupt` when the bytes are not a bundle, or its journal is invalid
 */
export function readBundle(bytes: Uint8Array, name = 'bundle'): JournalBundle {
  const value = parseJson(bytes, name);
  if (!isBundle(value)) throw corruptBundle(name, `not a journal bundle (${FORMAT})`);
  assertVerified(value.entries, value.run);
  for (const [sha256, large] of Object.entries(value.values ?? {}))
    if (hashJson(large) !== sha256) throw corruptBundle(name, `the value ${sha256} does not match its hash`);
  codeInBundle(value.code, name);
  return value;
}

/** The version and hash of the last entry of a bundle. */
export function bundleHead({ entries }: JournalBundle): Head {
  const last = entries.at(-1);
  return last ? { version: last.version, hash: last.hash } : EMPTY_HEAD;
}

/** Imports the journal of a bundle into a store. @throws ReinsError `run_exists` when the store has the run already */
export async function importJournal(store: JournalStore, { run, entries }: JournalBundle): Promise<void> {
  const { position } = await store.load(run);
  const appended = position === 0 ? await store.append(run, { entries, epoch: 0 }, 0) : undefined;
  if (appended?.outcome !== 'stored')
    throw new ReinsError({ code: 'run_exists', message: `run ${run.runId} already exists` });
}

function parseJson(bytes: Uint8Array, name: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw corruptBundle(name, 'not a journal bundle (invalid JSON)', cause);
  }
}

function isBundle(value: unknown): value is JournalBundle {
  if (!isObject(value) || value.format !== FORMAT || !isObject(value.run)) return false;
  const { workspaceId, runId } = value.run;
  return (
    typeof workspaceId === 'string' &&
    typeof runId === 'string' &&
    Array.isArray(value.entries) &&
    value.entries.every(isObject) &&
    (value.values === undefined || isObject(value.values))
  );
}

function corruptBundle(name: string, problem: string, cause?: unknown): ReinsError {
  return new ReinsError({ code: 'journal_corrupt', message: `${name}: ${problem}`, path: name }, { cause });
}
