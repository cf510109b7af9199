import { type ErrorInfo, isReinsError } from '@reins/contracts';
import {
  eventsOf,
  type RunEvent,
  readableEvents,
  readRun,
  type StatusReport,
  staleReason,
  statusOf,
} from '@reins/run-directory';
import type { CliContext } from '../../context.ts';
import { effectNames } from '../effect-names.ts';
import { failureOf } from '../failure-of.ts';
import type { EventsFlags } from '../flags.ts';
import type { RunHandle } from '../locate.ts';
import type { RunEvents } from '../run-backend.ts';

/** The status of a run directory, with the error of a run that failed. */
export async function directoryStatus(
  context: CliContext,
  { store, run }: RunHandle,
): Promise<StatusReport & { readonly error?: ErrorInfo }> {
  const loaded = await readRun(store, run);
  if (!loaded.isLegacy && staleReason(loaded) !== null)
    context.note('state/state.json does not match the journal; rebuild it with run:rebuild-state');
  const error = failureOf(loaded.state);
  return { ...statusOf(loaded), ...(error && { error }) };
}

/** The journal entries of a run directory: of a corrupted one, those that can be read. */
export async function directoryEvents(
  { store, run }: RunHandle,
  flags: EventsFlags,
  limit: number,
): Promise<RunEvents> {
  try {
    const loaded = await readRun(store, run);
    const events = eventsOf(loaded);
    return { events: selected(events, flags, limit), names: effectNames(events), metadata: statusOf(loaded).metadata };
  } catch (error) {
    const [problem] = isReinsError(error) ? error.problems : [];
    if (problem?.code !== 'journal_corrupt') throw error;
    const events = await readableEvents(store, run);
    const [, number] = /^journal\/(\d+)\./.exec(problem.path ?? '') ?? [];
    const brokenAt = number === undefined ? null : Number(number);
    const names = effectNames(events);
    return { events: selected(events, flags, limit), names, metadata: null, error: problem, brokenAt };
  }
}

function selected(events: readonly RunEvent[], { reverse, filterType }: EventsFlags, limit: number): RunEvent[] {
  const wanted = filterType?.toUpperCase();
  const filtered = wanted === undefined ? [...events] : events.filter(({ type }) => type.toUpperCase() === wanted);
  return (reverse ? filtered.toReversed() : filtered).slice(0, limit);
}
