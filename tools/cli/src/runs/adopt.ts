import type { JsonObject } from '@reins/contracts';
import { noteMetadata, RunBlobs } from '@reins/journal/rundir';
import { assignProcess } from '@reins/replay';
import type { CliContext } from '../context.ts';
import type { CreateFlags } from './create.ts';
import { parseEntry, processId } from './entrypoint.ts';
import { bareRuns } from './instructions.ts';
import { loadProcess } from './load-process.ts';
import { openRun } from './locate.ts';
import { inputsOption } from './values.ts';

/**
 * The bare run of this very conversation, given its process: a second run for the same work would leave the first one behind. Only one of
 * the same project and harness, that has neither a process nor an end; undefined when there is none.
 */
export async function adoptedRun(
  context: CliContext,
  root: string,
  flags: CreateFlags,
): Promise<JsonObject | undefined> {
  const { sessionId, entry, harness, runId, inputs } = flags;
  if (sessionId === undefined || entry === undefined || runId !== undefined) return undefined;
  const found = (await bareRuns(root))
    .map(({ runDir }) => openRun(runDir))
    .find(({ metadata }) => metadata.sessionId === sessionId && metadata.harness === harness);
  if (!found) return undefined;
  const { store, run, directory } = found;
  const entrypoint = parseEntry(entry);
  const { definition } = await loadProcess(context, processId(directory, entrypoint), entrypoint);
  const { id, codeHash } = definition;
  const given = inputs === undefined ? {} : { inputs: inputsOption(inputs) };
  const options = { store, run, blobs: new RunBlobs(store.pathsOf(run)), process: { id, codeHash }, ...given };
  await store.exclusively(run, 'run:create', () => assignProcess(options));
  if (flags.processId !== undefined) noteMetadata(store.pathsOf(run), { processId: flags.processId });
  context.note(`gave the bare run ${run.runId} of this session its process`);
  return { runId: run.runId, runDir: directory, entry, session: { sessionId }, adopted: true };
}
