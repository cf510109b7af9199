import type { Bus } from '@reins/bus';
import type { Problem } from '@reins/contracts';
import { type ProcessSources, processOf, runnerOf, WorkspaceProcesses } from '@reins/control-bus/core';
import { foldRun, type RunState, referencedValues } from '@reins/journal';
import { type ProcessRunner, replayRun } from '@reins/replay';
import { openTrees } from '@reins/service-kit/installation';
import type { CliContext } from '../context.ts';
import { firstOf, type Replayed, type ReplayFlags } from '../runs/replayed.ts';
import { type RequestReading, withRequest } from './request-journal.ts';

/** The journal of a request, replayed with the process that this version of Reins has for it. Writes nothing. */
export function replayRequest(context: CliContext, requestId: string, flags: ReplayFlags): Promise<Replayed> {
  return withRequest(context, requestId, async (reading, bus) => {
    const { run, values } = reading;
    const entries = firstOf(reading.entries, flags);
    const replay = await withProcess(bus, foldRun(run, entries), (definition) =>
      replayRun({ run, entries, definition, blobs: values }),
    );
    const problems = flags.verify ? await missingValues(reading) : [];
    return { runId: run.runId, to: entries.length, replay, problems };
  });
}

/** With what drives a run: a process that is built in, or code of its workspace's revision, in a sandbox. @throws ReinsError `process_unknown` */
const withProcess = <T>(bus: Bus, state: RunState, work: (process: ProcessRunner) => Promise<T>): Promise<T> =>
  withSources(bus, async (sources) => work(await runnerOf(sources, state)));

/** With where processes come from: this version of Reins, and the revisions of workspaces. */
export async function withSources<T>(bus: Bus, work: (sources: Required<ProcessSources>) => Promise<T>): Promise<T> {
  const authored = new WorkspaceProcesses(await openTrees(bus));
  try {
    return await work({ processOf, authored });
  } finally {
    await authored.close();
  }
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
