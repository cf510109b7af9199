import { type Bus, lastMessageOn, openBucket } from '@reins/bus';
import {
  assertNotExpired,
  isReinsError,
  journalSubject,
  parseJournalSubject,
  type ReinsError,
  type RequestRecord,
  type RunAddress,
} from '@reins/contracts';
import { type Entry, foldRun, type LargeValues, type RunState } from '@reins/journal';
import { blobValues, openBusJournals } from '@reins/journal/bus';
import type { LoadedTasks } from '@reins/run-directory';
import { withBus } from '../bus/with-bus.ts';
import type { CliContext } from '../context.ts';
import { assertCanLookUp, notFound } from './lookup.ts';

/** The journal of a request, loaded from the bus. */
export interface LoadedRequest extends LoadedTasks {
  readonly run: RunAddress;
  readonly entries: readonly Entry[];
  readonly state: RunState;
  /** The large values that the entries refer to. */
  readonly values: LargeValues;
}

/** The run of a request, with access to its journal. */
export interface FoundRun {
  readonly run: RunAddress;
  readonly bus: Bus;
  /** The large values that the entries refer to. */
  readonly values: LargeValues;
  /** Loads and verifies the entries. @throws ReinsError `journal_corrupt`; a CorruptedJournalError when the stream is corrupted */
  readonly load: () => Promise<readonly Entry[]>;
  /** The same for another run of the workspace, such as a child run; no entries for a run without a journal. */
  readonly loadRun: (runId: string) => Promise<readonly Entry[]>;
}

/** Calls `work` with the run of a request. @throws ReinsError `request_not_found` · `run_expired` · `bus_unavailable` */
export async function withRun<T>(
  context: CliContext,
  requestId: string,
  work: (run: FoundRun) => Promise<T>,
): Promise<T> {
  assertCanLookUp(context, requestId);
  return withBus(context, async (bus, { nats }) => {
    const run = await addressOf(bus, requestId, nats.partitions);
    const journals = await openBusJournals(bus, nats);
    const loadRun = async (runId: string) => (await journals.load({ ...run, runId })).entries;
    const load = () => loadRun(run.runId);
    return work({ run, bus, values: blobValues(journals.blobs), load, loadRun });
  });
}

/**
 * Calls `work` with the verified journal of a request. Read-only: changes of a request go through the gateway.
 * @param work also gets a function that loads the journal again
 * @throws ReinsError `request_not_found` · `bus_unavailable` · `journal_corrupt`, which names the first invalid entry
 */
export function withRequest<T>(
  context: CliContext,
  requestId: string,
  work: (loaded: LoadedRequest, bus: Bus, reload: () => Promise<LoadedRequest>) => Promise<T>,
): Promise<T> {
  return withRun(context, requestId, async (found) => {
    const read = async () => readingOf(found, await found.load());
    return work(await read(), found.bus, read);
  });
}

/** Folds entries into a reading of a run that has no directory. */
export function readingOf({ run, values }: Pick<FoundRun, 'run' | 'values'>, entries: readonly Entry[]): LoadedRequest {
  return { run, entries, state: foldRun(run, entries), values, isLegacy: false, files: [], metadata: {} };
}

/** Whether the error says that a journal is corrupted. */
export const isCorrupt = (error: unknown): error is ReinsError =>
  isReinsError(error) && error.code === 'journal_corrupt';

/** Finds the workspace of a request: journal subjects contain it, but only the request id is known. */
async function addressOf(bus: Bus, requestId: string, partitions: number): Promise<RunAddress> {
  const anywhere = journalSubject({ workspaceId: 'x', runId: requestId }, partitions).replace('.x.', '.*.');
  const last = await lastMessageOn(bus, 'JOURNAL', anywhere);
  const address = last && parseJournalSubject(last.subject);
  if (address) return { workspaceId: address.workspaceId, runId: address.runId };
  const records = await openBucket<RequestRecord>(bus, 'requests');
  const record = (await records.get(`run.${requestId}`))?.value;
  if (record) assertNotExpired(record, requestId);
  throw notFound(requestId, `no run directory and no request "${requestId}"`);
}
