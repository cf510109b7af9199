import { eventsOf, type RunEvent, readRun, staleReason, statusOf } from '@reins/journal/rundir';
import { wholeNumber } from '../arguments.ts';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import { type RunsFlags, runDirectory } from './locate.ts';

/** `reins run:status` */
export async function runStatus(context: CliContext, argument: string, flags: RunsFlags): Promise<ExitCode> {
  const { store, run } = runDirectory(context, argument, flags);
  const reading = await readRun(store, run);
  const report = statusOf(reading);
  if (!reading.isLegacy && staleReason(reading) !== null)
    context.note('state/state.json is not that of the journal; run:rebuild-state makes it again');
  if (context.json) printJson(context, report);
  else {
    const { state, reason, lastEvent, pendingByKind } = report;
    const pending = Object.entries(pendingByKind).map(([kind, count]) => ` ${kind}=${count}`);
    const last = lastEvent ? ` last=${lastEvent.type}#${lastEvent.seq}` : '';
    context.out(`${state}${reason === null ? '' : ` (${reason})`}${last}${pending.join('')}\n`);
  }
  return EXIT.ok;
}

export interface EventsFlags extends RunsFlags {
  readonly limit?: string;
  readonly reverse?: boolean;
  readonly filterType?: string;
}

/** `reins run:events` */
export async function runEvents(context: CliContext, argument: string, flags: EventsFlags): Promise<ExitCode> {
  const limit = flags.limit === undefined ? Number.POSITIVE_INFINITY : wholeNumber(flags.limit, '--limit');
  const { store, run } = runDirectory(context, argument, flags);
  const reading = await readRun(store, run);
  const events = chosen(eventsOf(reading), flags, limit);
  if (context.json) printJson(context, { events, metadata: statusOf(reading).metadata });
  else
    for (const { seq, recordedAt, type, data } of events) context.out(`${seq} ${recordedAt} ${type}${about(data)}\n`);
  return EXIT.ok;
}

function chosen(events: readonly RunEvent[], { reverse, filterType }: EventsFlags, limit: number): RunEvent[] {
  const wanted = filterType?.toUpperCase();
  const filtered = wanted === undefined ? [...events] : events.filter(({ type }) => type.toUpperCase() === wanted);
  return (reverse ? filtered.toReversed() : filtered).slice(0, limit);
}

const about = ({ effectId }: RunEvent['data']): string => (typeof effectId === 'string' ? ` ${effectId}` : '');
