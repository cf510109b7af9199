import type { JsonObject } from '@reins/contracts';
import { assignProcess } from '@reins/replay';
import { RunBlobs, updateRunMetadata } from '@reins/run-directory';
import type { CliContext } from '../context.ts';
import { parseEntry, processId } from './entrypoint.ts';
import { bareRuns } from './instructions.ts';
import { loadProcess } from './load-process.ts';
import { openRun } from './locate.ts';
import { inputsOption } from './values.ts';

/** The flags of `run:create` that say which bare run may get the process. */
export interface AdoptFlags {
  readonly entry?: string;
  readonly processId?: string;
  readonly runId?: string;
  readonly inputs?: string;
  readonly harness?: string;
  /** The session that the run belongs to. */
  readonly sessionId?: string;
}

/**
 * Assigns the process to the bare run of this session, instead of creating a second run for the same work. The bare run must be open and
 * belong to the same project and harness. Returns undefined when there is none.
 */
export async function adoptedRun(
  context: CliContext,
  root: string,
  flags: AdoptFlags,
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
  if (flags.processId !== undefined) updateRunMetadata(store.pathsOf(run), { processId: flags.processId });
  context.note(`assigned the process to the bare run ${run.runId} of this session`);
  return { runId: run.runId, runDir: directory, entry, session: { sessionId }, adopted: true };
}
