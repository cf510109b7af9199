import type { Problem } from '@reins/contracts';
import { definitionFor, processOf } from '@reins/control-bus/core';
import { foldRun, type RunState, referencedValues } from '@reins/journal';
import { type ProcessDefinition, type ProcessRunner, replayRun } from '@reins/replay';
import type { CliContext } from '../context.ts';
import { firstOf, type Replayed, type ReplayFlags } from '../runs/replayed.ts';
import { type RequestReading, withRequest } from './request-journal.ts';

/** The journal of a request, replayed with the process that this version of Reins has for it. Writes nothing. */
export function replayRequest(context: CliContext, requestId: string, flags: ReplayFlags): Promise<Replayed> {
  return withRequest(context, requestId, async (reading) => {
    const { run, values } = reading;
    const entries = firstOf(reading.entries, flags);
    const definition = processOfRequest(foldRun(run, entries));
    const replay = await replayRun({ run, entries, definition, blobs: values });
    const problems = flags.verify ? await missingValues(reading) : [];
    return { runId: run.runId, to: entries.length, replay, problems };
  });
}

/** What drives a run. @throws ReinsError `process_unknown` */
export function processOfRequest(state: RunState): ProcessDefinition | ProcessRunner {
  return definitionFor(processOf(state.process.id), state);
}

/** What the journal has by reference must be there; that the journal itself is whole was checked when it was read. */
export async function missingValues({
  entries,
  values,
}: Pick<RequestReading, 'entries' | 'values'>): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const ref of referencedValues(entries))
    await values.get(ref).catch((error: Error) => {
      problems.push({
        code: 'journal_corrupt',
        message: `the value ${ref.sha256}: ${error.message}`,
        path: ref.sha256,
      });
    });
  return problems;
}
