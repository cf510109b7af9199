import { type BlobRef, canonicalJson, isObject, type JsonValue, ReinsError, type RunAddress } from '@reins/contracts';
import { EMPTY_HEAD, type Entry, type Head, hashJson } from '../entries/entry.ts';
import { refOf } from '../large/large-values.ts';
import type { JournalStore } from '../store/journal-store.ts';
import { assertVerified } from '../verify/verify-entries.ts';

const FORMAT = 'reins.journal.v1';

/** A journal that has left its store: to be kept, sent, verified and read elsewhere. */
export interface JournalBundle {
  readonly format: typeof FORMAT;
  readonly run: RunAddress;
  readonly entries: readonly Entry[];
  /** What the entries have by reference, by the hash of its canonical JSON: the chain covers it through its name. */
  readonly values?: LargeValuesByHash;
}

export type LargeValuesByHash = Readonly<Record<string, JsonValue>>;

/** As bytes: canonical JSON, so one journal has one bundle. @throws ReinsError `journal_corrupt` when it is not whole */
export function exportJournal(run: RunAddress, entries: readonly Entry[], values?: LargeValuesByHash): Uint8Array {
  assertVerified(entries, run);
  const { workspaceId, runId } = run;
  const beside = values && Object.keys(values).length > 0 ? { values } : {};
  return new TextEncoder().encode(canonicalJson({ format: FORMAT, run: { workspaceId, runId }, entries, ...beside }));
}

/** What these entries have by reference. */
export function referencedValues(entries: readonly Entry[]): BlobRef[] {
  return entries.flatMap((entry) => refOf(entry) ?? []);
}

/** @throws ReinsError `journal_corrupt` when the bytes are no bundle, or its journal is not whole */
export function readBundle(bytes: Uint8Array): JournalBundle {
  const value = parsed(bytes);
  if (!isBundle(value)) throw corruptBundle(`it is not a ${FORMAT}`);
  assertVerified(value.entries, value.run);
  for (const [sha256, large] of Object.entries(value.values ?? {}))
    if (hashJson(large) !== sha256) throw corruptBundle(`the value ${sha256} is not what its name says`);
  return value;
}

/** Where the journal of a bundle ends. */
export function bundleHead({ entries }: JournalBundle): Head {
  const last = entries.at(-1);
  return last ? { version: last.version, hash: last.hash } : EMPTY_HEAD;
}

/**
 * Puts the journal of a bundle into a store that does not have the run.
 * @throws ReinsError `run_exists` when it does
 */
export async function importJournal(store: JournalStore, { run, entries }: JournalBundle): Promise<void> {
  const { position } = await store.load(run);
  const answer = position === 0 ? await store.append(run, { entries, epoch: 0 }, 0) : undefined;
  if (answer?.outcome !== 'stored')
    throw new ReinsError({ code: 'run_exists', message: `there is a run ${run.runId} already` });
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw corruptBundle('it is no JSON', cause);
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

function corruptBundle(wrong: string, cause?: unknown): ReinsError {
  return new ReinsError({ code: 'journal_corrupt', message: `bundle: ${wrong}`, path: 'bundle' }, { cause });
}
