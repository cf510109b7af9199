import { type Bus, lastOf } from '@reins/bus';
import { isReinsError, journalSubject, parseJournalSubject, ReinsError, type RunAddress } from '@reins/contracts';
import { blobValues } from '@reins/control-bus/core';
import { type Entry, foldRun, type LargeValues, type RunState } from '@reins/journal';
import { openBusJournals } from '@reins/journal/bus';
import type { TaskReading } from '@reins/journal/rundir';
import { withBus } from '../bus/with-bus.ts';
import type { CliContext } from '../context.ts';
import { assertCanLookUp, notFound } from './lookup.ts';

/** The journal of a request, read from the bus once: what every report on it is made of. */
export interface RequestReading extends TaskReading {
  readonly run: RunAddress;
  readonly entries: readonly Entry[];
  readonly state: RunState;
  /** What its entries have by reference. */
  readonly values: LargeValues;
}

/** The run of a request, and the way to its journal. */
export interface RequestRun {
  readonly run: RunAddress;
  readonly bus: Bus;
  /** What its entries have by reference. */
  readonly values: LargeValues;
  /** Its entries, verified. @throws ReinsError `journal_corrupt`: DamagedJournal where that is in the stream */
  readonly load: () => Promise<readonly Entry[]>;
}

/** @throws ReinsError `request_not_found` · `bus_unavailable` */
export async function withRun<T>(
  context: CliContext,
  requestId: string,
  work: (run: RequestRun) => Promise<T>,
): Promise<T> {
  assertCanLookUp(context, requestId);
  return withBus(context, async (bus, { nats }) => {
    const run = await addressOf(bus, requestId, nats.partitions);
    const journals = await openBusJournals(bus, nats);
    const load = async () => (await journals.load(run)).entries;
    return work({ run, bus, values: blobValues(journals.blobs), load });
  });
}

/**
 * Does something with the journal of a request, verified. Reads only: what changes a request goes through the gateway.
 * @param work is given a way to read it once more
 * @throws ReinsError `request_not_found` · `bus_unavailable` · `journal_corrupt`, naming the first entry that is wrong
 */
export function withRequest<T>(
  context: CliContext,
  requestId: string,
  work: (reading: RequestReading, bus: Bus, again: () => Promise<RequestReading>) => Promise<T>,
): Promise<T> {
  return withRun(context, requestId, async (found) => {
    const read = async () => readingOf(found, await found.load());
    return work(await read(), found.bus, read);
  });
}

/** These entries as the journal of a run that lies in no directory. */
export function readingOf(
  { run, values }: Pick<RequestRun, 'run' | 'values'>,
  entries: readonly Entry[],
): RequestReading {
  return { run, entries, state: foldRun(run, entries), values, isLegacy: false, files: [], metadata: {} };
}

/** Whether what is wrong is a journal, and not the way to it. */
export const isCorrupt = (error: unknown): error is ReinsError =>
  isReinsError(error) && error.code === 'journal_corrupt';

/** A request is known by its id alone; its journal lies under its workspace. */
async function addressOf(bus: Bus, requestId: string, partitions: number): Promise<RunAddress> {
  const anywhere = journalSubject({ workspaceId: 'x', runId: requestId }, partitions).replace('.x.', '.*.');
  const last = await lastOf(bus, 'JOURNAL', anywhere);
  const address = last && parseJournalSubject(last.subject);
  if (address) return { workspaceId: address.workspaceId, runId: address.runId };
  throw notFound(requestId, `there is no run directory and no request ${requestId}`);
}
