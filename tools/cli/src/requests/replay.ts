import type { Bus } from '@reins/bus';
import type { Problem } from '@reins/contracts';
import { type ProcessSources, processOf, runnerOf, WorkspaceProcesses } from '@reins/control-bus/core';
import { foldRun, pendingEffects, type RunState, referencedValues } from '@reins/journal';
import { type RecordedJournal, type Replay, replayEach } from '@reins/replay';
import { openTrees, processSettings } from '@reins/service-kit/installation';
import type { CliContext } from '../context.ts';
import type { ReplayFlags } from '../runs/flags.ts';
import { firstEntries, type ReplayResult } from '../runs/replay-result.ts';
import { type LoadedRequest, withRequest } from './request-journal.ts';
import { requestRunStatus } from './request-status.ts';

/** Replays the journal of a request with the processes of this version of Reins. Writes nothing. @throws ReinsError `process_unknown` */
export function replayRequest(context: CliContext, requestId: string, flags: ReplayFlags): Promise<ReplayResult> {
  return withRequest(context, requestId, async (loaded, bus) => {
    const { run, values } = loaded;
    const entries = firstEntries(loaded.entries, flags);
    const replay = await withSources(context, bus, (sources) =>
      replayWith(sources, { run, entries, blobs: values, everyStart: true }),
    );
    const problems = flags.verify ? await missingValues(loaded) : [];
    const { state: status } = requestRunStatus(replay, pendingEffects(replay.state).length);
    return { runId: run.runId, to: entries.length, replay, status, ofBroken: 'waiting', problems };
  });
}

/** Replays each assigned process over the entries up to the next assignment. Returns the first divergence. */
export async function replayWith(sources: ProcessSources, recorded: RecordedJournal): Promise<Replay> {
  const process = (state: RunState) => runnerOf(sources, state);
  return replayEach({ ...recorded, definition: await process(foldRun(recorded.run, recorded.entries)) }, process);
}

/** Calls `work` with the process sources: the built-in processes, and workspace revisions, whose code runs in sandboxes. */
export async function withSources<T>(
  { env }: Pick<CliContext, 'env'>,
  bus: Bus,
  work: (sources: Required<ProcessSources>) => Promise<T>,
): Promise<T> {
  const { sandbox } = processSettings(env).processes;
  const authored = new WorkspaceProcesses(await openTrees(bus), { sandbox });
  try {
    return await work({ processOf, authored });
  } finally {
    await authored.close();
  }
}

/** A problem for every missing value that the journal refers to. The journal itself was verified when it was loaded. */
export async function missingValues({
  entries,
  values,
}: Pick<LoadedRequest, 'entries' | 'values'>): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const ref of referencedValues(entries))
    await values.get(ref).catch((error: Error) => {
      problems.push({
        code: 'journal_corrupt',
        message: `value ${ref.sha256}: ${error.message}`,
        path: ref.sha256,
      });
    });
  return problems;
}
