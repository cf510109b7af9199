import type { RunEvent } from '@reins/run-directory';
import { wholeNumber } from '../arguments.ts';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import { printable } from '../output/printable.ts';
import { problemLine } from '../output/report.ts';
import type { EventsFlags } from './flags.ts';
import type { RunsFlags } from './locate.ts';
import { openRunBackend } from './open-run-backend.ts';
import type { RunEvents } from './run-backend.ts';

/** `reins run:status` */
export async function runStatus(context: CliContext, argument: string, flags: RunsFlags): Promise<ExitCode> {
  const run = await openRunBackend(context, argument, flags);
  const report = await run.status();
  if (context.json) printJson(context, report);
  else {
    const { state, reason, lastEvent, pendingByKind, error: failure } = report;
    const pending = Object.entries(pendingByKind).map(([kind, count]) => ` ${kind}=${count}`);
    const last = lastEvent ? ` last=${lastEvent.type}#${lastEvent.seq}` : '';
    const error = failure ? `\n  ${problemLine(failure)}` : '';
    context.out(`${state}${reason === null ? '' : ` (${reason})`}${last}${pending.join('')}${error}\n`);
  }
  return EXIT.ok;
}

/** `reins run:events`: of a corrupted run directory it lists what can be read, marks the first problem, and returns 1. */
export async function runEvents(context: CliContext, argument: string, flags: EventsFlags): Promise<ExitCode> {
  const limit = flags.limit === undefined ? Number.POSITIVE_INFINITY : wholeNumber(flags.limit, '--limit');
  const run = await openRunBackend(context, argument, flags);
  const { names, ...result } = await run.events(flags, limit);
  if (context.json) printJson(context, result);
  else printEvents(context, { ...result, names }, flags);
  return result.error ? EXIT.failed : EXIT.ok;
}

/** `reins run:verify`: returns 1 if there are problems. */
export async function runVerify(context: CliContext, argument: string, flags: RunsFlags): Promise<ExitCode> {
  const run = await openRunBackend(context, argument, flags);
  const { problems, ...report } = await run.verify();
  if (context.json) printJson(context, { ok: problems.length === 0, ...report, problems });
  else {
    for (const { message, hint } of problems)
      context.note(`${printable(message)}${hint ? `\n  ${printable(hint)}` : ''}`);
    if (problems.length === 0)
      context.out(`${argument} is valid (entries: ${report.entries}, head: ${report.headHash})\n`);
  }
  return problems.length === 0 ? EXIT.ok : EXIT.failed;
}

function printEvents(
  context: CliContext,
  { events, names, error, brokenAt }: RunEvents,
  { reverse }: EventsFlags,
): void {
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

function effectText({ effectId, name: signal }: RunEvent['data'], names: RunEvents['names'], type: string): string {
  // A signal without an effect is kept until the process waits for it.
  if (type === 'SIGNAL_RECEIVED' && effectId === undefined) return ` signal ${String(signal)}, kept`;
  if (typeof effectId !== 'string') return '';
  const name = names.get(effectId);
  return ` ${effectId}${name === undefined ? '' : ` ${name}`}`;
}
