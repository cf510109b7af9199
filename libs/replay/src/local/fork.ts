import {
  defined,
  type JsonObject,
  type JsonValue,
  type ProcessRef,
  ReinsError,
  type RunAddress,
} from '@reins/contracts';
import {
  EMPTY_HEAD,
  type Entry,
  type EntryDraft,
  foldRun,
  type Head,
  type JournalStore,
  type LargeValues,
  largeValueOf,
  offloadLargeValue,
  sealEntries,
} from '@reins/journal';
import { assignmentIndex } from '../engine/starts.ts';
import { visibleRunId } from './identity.ts';

export interface Fork {
  readonly from: { readonly run: RunAddress; readonly entries: readonly Entry[] };
  /** How many of its entries are shared. */
  readonly at: number;
  readonly run: RunAddress;
  /** The process, with its path relative to the new run. */
  readonly process?: ProcessRef;
  /** Replaces the inputs of the forked run. */
  readonly inputs?: JsonValue;
  /** Metadata of the new run. */
  readonly metadata?: JsonObject;
}

/**
 * The journal of a new run that shares the first entries of another one. Tracked costs are not copied. With other
 * inputs the prefix is valid only if the process decides the same, which a replay of the fork shows.
 * @throws ReinsError `wrong_usage` when the other run has no such entry, or ends before it
 */
export function forkedEntries({ from, at, run, process, inputs, metadata }: Fork): Entry[] {
  const prefix = from.entries.slice(0, at);
  const [first] = prefix;
  if (!Number.isInteger(at) || first?.type !== 'RUN_CREATED' || at > from.entries.length)
    throw usage(`run ${from.run.runId} has entries 1 to ${from.entries.length}, but not ${at}`);
  const { end } = foldRun(from.run, prefix);
  if (end) throw usage(`at entry ${at} the run is already ${end.status}`);
  const created = {
    ...first.data,
    workspaceId: run.workspaceId,
    idempotencyKey: run.runId,
    forkedFrom: { requestId: from.run.runId, version: at, identity: visibleRunId(from.run, from.entries) },
    ...(metadata && { metadata }),
  };
  const startIndex = assignmentIndex(prefix);
  const given = { ...(process && { process }), ...defined({ inputs }) };
  const own = [{ ...first, data: created }, ...prefix.slice(1)].map((entry, index) =>
    index === startIndex ? withGiven(entry as Entry<'RUN_CREATED' | 'PROCESS_ASSIGNED'>, given) : entry,
  );
  return rechainEntries(own.filter(({ type }) => type !== 'COST_TRACKED'));
}

function withGiven<T extends 'RUN_CREATED' | 'PROCESS_ASSIGNED'>(
  { type, data, recordedAt }: Entry<T>,
  given: Pick<Fork, 'process' | 'inputs'>,
): Pick<Entry, 'type' | 'data' | 'recordedAt'> {
  const { inputsRef: _, ...rest } = data;
  return { type, recordedAt, data: { ...(given.inputs === undefined ? data : rest), ...given } } as EntryDraft & Entry;
}

/**
 * Appends the entries to a store.
 * @param blobs stores large inputs; the other referenced values must exist already
 * @throws ReinsError `run_exists` when the store has the run already
 */
export async function createFork(
  store: JournalStore,
  run: RunAddress,
  entries: readonly Entry[],
  blobs: LargeValues,
): Promise<void> {
  const { position } = await store.load(run);
  const commit = async () => ({ entries: await withSmallInputs(entries, blobs), epoch: 0 });
  const answer = position === 0 ? await store.append(run, await commit(), 0) : undefined;
  if (answer?.outcome !== 'stored')
    throw new ReinsError({ code: 'run_exists', message: `run ${run.runId} already exists` });
}

async function withSmallInputs(entries: readonly Entry[], blobs: LargeValues): Promise<readonly Entry[]> {
  if (!entries.some(hasLargeInputs)) return entries;
  const small = entries.map(async (entry) =>
    hasLargeInputs(entry) ? { ...entry, ...(await offloadLargeValue(entry, blobs)) } : entry,
  );
  return rechainEntries(await Promise.all(small));
}

const hasLargeInputs = (entry: Entry): boolean =>
  (entry.type === 'RUN_CREATED' || entry.type === 'PROCESS_ASSIGNED') && largeValueOf(entry) !== undefined;

/** The same entries as a separate journal: numbered and chained again, with their times. */
export function rechainEntries(row: readonly Pick<Entry, 'type' | 'data' | 'recordedAt'>[]): Entry[] {
  let head: Head = EMPTY_HEAD;
  return row.map((old) => {
    const [entry] = sealEntries(head, [{ type: old.type, data: old.data } as EntryDraft], old.recordedAt) as [Entry];
    head = { version: entry.version, hash: entry.hash };
    return entry;
  });
}

const usage = (message: string): ReinsError => new ReinsError({ code: 'wrong_usage', message, path: '--at' });
