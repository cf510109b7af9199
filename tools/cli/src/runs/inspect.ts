import { eventsOf, type RunEvent, readRun, type StatusReport, staleReason, statusOf } from '@reins/journal/rundir';
import { wholeNumber } from '../arguments.ts';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import { problemLine } from '../output/report.ts';
import { findRunDirectory, type RunHandle, type RunsFlags } from './locate.ts';

/** The same commands for requests, imported when needed. */
const requests = () => import('../requests/inspect.ts');

/** `reins run:status` */
export async function runStatus(context: CliContext, argument: string, flags: RunsFlags): Promise<ExitCode> {
  const handle = findRunDirectory(context, argument, flags);
  const report = handle
    ? await directoryStatus(context, handle)
    : await (await requests()).requestStatus(context, argument);
  if (context.json) printJson(context, report);
  else {
    const { state, reason, lastEvent, pendingByKind } = report;
    const pending = Object.entries(pendingByKind).map(([kind, count]) => ` ${kind}=${count}`);
    const last = lastEvent ? ` last=${lastEvent.type}#${lastEvent.seq}` : '';
    const error = 'error' in report && report.error ? `\n  ${problemLine(report.error)}` : '';
    context.out(`${state}${reason === null ? '' : ` (${reason})`}${last}${pending.join('')}${error}\n`);
  }
  return EXIT.ok;
}

async function directoryStatus(context: CliContext, { store, run }: RunHandle): Promise<StatusReport> {
  const loaded = await readRun(store, run);
  if (!loaded.isLegacy && staleReason(loaded) !== null)
    context.note('state/state.json does not match the journal; rebuild it with run:rebuild-state');
  return statusOf(loaded);
}

export interface EventsFlags extends RunsFlags {
  readonly limit?: string;
  readonly reverse?: boolean;
  readonly filterType?: string;
}

/** `reins run:events` */
export async function runEvents(context: CliContext, argument: string, flags: EventsFlags): Promise<ExitCode> {
  const limit = flags.limit === undefined ? Number.POSITIVE_INFINITY : wholeNumber(flags.limit, '--limit');
  const handle = findRunDirectory(context, argument, flags);
  const result = handle
    ? await directoryEvents(handle, flags, limit)
    : await (await requests()).requestEvents(context, argument, flags, limit);
  if (context.json) printJson(context, result);
  else
    for (const { seq, recordedAt, type, data } of result.events)
      context.out(`${seq} ${recordedAt} ${type}${effectText(data)}\n`);
  return EXIT.ok;
}

async function directoryEvents({ store, run }: RunHandle, flags: EventsFlags, limit: number) {
  const loaded = await readRun(store, run);
  return { events: selected(eventsOf(loaded), flags, limit), metadata: statusOf(loaded).metadata };
}

function selected(events: readonly RunEvent[], { reverse, filterType }: EventsFlags, limit: number): RunEvent[] {
  const wanted = filterType?.toUpperCase();
  const filtered = wanted === undefined ? [...events] : events.filter(({ type }) => type.toUpperCase() === wanted);
  return (reverse ? filtered.toReversed() : filtered).slice(0, limit);
}

const effectText = ({ effectId }: RunEvent['data']): string => (typeof effectId === 'string' ? ` ${effectId}` : '');
