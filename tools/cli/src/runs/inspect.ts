import { isReinsError, type Problem } from '@reins/contracts';
import {
  eventsOf,
  type RunEvent,
  readableEvents,
  readRun,
  type StatusReport,
  staleReason,
  statusOf,
} from '@reins/run-directory';
import { wholeNumber } from '../arguments.ts';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import { printable } from '../output/printable.ts';
import { problemLine } from '../output/report.ts';
import { effectNames } from './effect-names.ts';
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

/** `reins run:events`: of a corrupted run directory it lists what can be read, marks the first problem, and returns 1. */
export async function runEvents(context: CliContext, argument: string, flags: EventsFlags): Promise<ExitCode> {
  const limit = flags.limit === undefined ? Number.POSITIVE_INFINITY : wholeNumber(flags.limit, '--limit');
  const handle = findRunDirectory(context, argument, flags);
  const { names, ...result }: Events = handle
    ? await directoryEvents(handle, flags, limit)
    : await (await requests()).requestEvents(context, argument, flags, limit);
  if (context.json) printJson(context, result);
  else printEvents(context, { ...result, names }, flags);
  return result.error ? EXIT.failed : EXIT.ok;
}

interface Events {
  readonly events: readonly Pick<RunEvent, 'seq' | 'recordedAt' | 'type' | 'data'>[];
  readonly metadata: unknown;
  /** What each effect is. */
  readonly names: ReadonlyMap<string, string>;
  /** The first problem of a corrupted journal. */
  readonly error?: Problem;
  /** The number of the first entry that is not valid; null when the problem is not about one entry. */
  readonly brokenAt?: number | null;
}

function printEvents(context: CliContext, { events, names, error, brokenAt }: Events, { reverse }: EventsFlags): void {
  const mark = error && `--- the journal is broken here: ${error.message}\n`;
  const end = brokenAt ?? Number.POSITIVE_INFINITY;
  const at = events.findIndex(({ seq }) => (reverse ? seq <= end : seq >= end));
  for (const [i, { seq, recordedAt, type, data }] of events.entries()) {
    if (mark && i === at) context.out(mark);
    context.out(`${printable(`${seq} ${recordedAt} ${type}${effectText(data, names, type)}`)}\n`);
  }
  if (mark && at < 0) context.out(mark);
  if (error) context.note(problemLine(error));
}

async function directoryEvents({ store, run }: RunHandle, flags: EventsFlags, limit: number): Promise<Events> {
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

function effectText({ effectId, name: signal }: RunEvent['data'], names: Events['names'], type: string): string {
  // A signal without an effect is kept until the process waits for it.
  if (type === 'SIGNAL_RECEIVED' && effectId === undefined) return ` signal ${String(signal)}, kept`;
  if (typeof effectId !== 'string') return '';
  const name = names.get(effectId);
  return ` ${effectId}${name === undefined ? '' : ` ${name}`}`;
}
