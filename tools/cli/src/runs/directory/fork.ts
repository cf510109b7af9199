import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import { defined, type JsonObject, ReinsError } from '@reins/contracts';
import { type Entry, foldRun, referencedValues } from '@reins/journal';
import { createFork, forkedEntries, replayRun } from '@reins/replay';
import {
  blobPath,
  blobProblems,
  eventsOf,
  KEEPS_CODE,
  type LoadedRun,
  RunBlobs,
  readRun,
  updateRunMetadata,
} from '@reins/run-directory';
import { ulid } from 'ulid';
import { wrongUsage } from '../../arguments.ts';
import type { CliContext } from '../../context.ts';
import { entriesBefore } from '../effect-names.ts';
import { entrypointOf, processId } from '../entrypoint.ts';
import type { RecordedCode } from '../find-code.ts';
import type { ForkFlags } from '../flags.ts';
import { keptCodeOf, readKeptCode } from '../keep-code.ts';
import { loadProcess } from '../load-process.ts';
import { assertNew, createUnderLock, newRunDirectory, OTHER_RUN_ID, type RunHandle, rootOf } from '../locate.ts';
import type { Outcome } from '../outcome.ts';
import { inputsOption } from '../values.ts';
import { openOptions } from './iterate.ts';

/** Creates a run directory that shares the first entries of another one, next to it. */
export async function forkDirectory(
  context: CliContext,
  from: RunHandle,
  place: string,
  flags: ForkFlags,
): Promise<Outcome> {
  if (flags.model !== undefined || flags.stage.length > 0)
    throw wrongUsage('--model and --stage are for requests only', 'Change the inputs of a run directory with --input.');
  const loaded = await readRun(from.store, from.run);
  const at = entriesBefore(eventsOf(loaded), place, '--at');
  const root = flags.runsDir === undefined ? dirname(from.directory) : rootOf(context, flags);
  const fork = newRunDirectory(root, flags.runId ?? ulid());
  const run = { workspaceId: from.run.workspaceId, runId: fork.run.runId };
  // The process at that entry; a later assignment may have replaced it.
  const driver = foldRun(from.run, loaded.entries.slice(0, at)).process;
  const entrypoint = entrypointOf(from, driver);
  const process = entrypoint && { id: processId(fork.directory, entrypoint), codeHash: driver.codeHash };
  const inputs = flags.input === undefined ? {} : { inputs: inputsOption(flags.input, '--input') };
  const code = readKeptCode(from, loaded.entries.slice(0, at));
  const entries = forkedEntries({
    from: { run: from.run, entries: loaded.entries },
    at,
    run,
    metadata: { ...metadataOf(from), ...(code.isWhole && { [KEEPS_CODE]: true }) },
    ...inputs,
    ...(process && { process }),
  });
  assertValues(loaded, at, entries);
  const recorded = { recorded: driver.codeHash, kept: keptCodeOf(from) };
  if (process && flags.input !== undefined)
    await assertShared(context, { ...from, run }, entries, entrypoint, recorded);
  await createUnderLock({ ...fork, run }, 'fork', async () => {
    await assertNew({ ...fork, run }, OTHER_RUN_ID);
    const blobs = new RunBlobs(fork.store.pathsOf(run));
    await copyValues(loaded.blobs, blobs, entries);
    for (const [hash, one] of code.found) await keptCodeOf(fork).put(hash, one);
    await createFork(fork.store, run, entries, blobs);
  });
  updateRunMetadata(fork.store.pathsOf(run), { completionProof: randomBytes(16).toString('hex') });
  const answer = {
    runId: run.runId,
    runDir: fork.directory,
    forkedFrom: { runId: from.run.runId, at },
    entries: entries.length,
  };
  const line = `forked ${from.run.runId} as ${run.runId} in ${fork.directory} (shared entries: ${entries.length})`;
  return { answer, line };
}

const SHARED = ['request', 'processId', 'prompt', 'harness', 'nested', 'nonInteractive', 'governance', 'cwd'] as const;

/** The metadata that a fork inherits. Its completion proof is new. */
function metadataOf({ metadata }: RunHandle): JsonObject {
  const shared = SHARED.flatMap((name) => (metadata[name] === undefined ? [] : [[name, metadata[name]]]));
  return Object.fromEntries(shared) as JsonObject;
}

/** Checks that the process, with the new inputs, still requests what the shared entries record. @throws ReinsError `replay_nondeterminism` */
async function assertShared(
  context: CliContext,
  from: RunHandle,
  entries: ReturnType<typeof forkedEntries>,
  entrypoint: NonNullable<ReturnType<typeof entrypointOf>>,
  recorded: Pick<RecordedCode, 'recorded' | 'kept'>,
): Promise<void> {
  const { definition } = await loadProcess(context, processId(from.directory, entrypoint), entrypoint, recorded);
  const { divergence } = await replayRun({ ...openOptions(from, entries), entries, definition });
  if (!divergence) return;
  const { message, path } = divergence.error;
  throw new ReinsError({
    code: 'replay_nondeterminism',
    message: `the shared entries do not match the new inputs: ${message}`,
    ...defined({ path }),
    hint: 'Fork at an earlier entry.',
  });
}

/**
 * Checks that the values that the fork refers to exist.
 * @param entries of the fork, which may have different inputs
 * @throws ReinsError `journal_corrupt`
 */
function assertValues({ paths, entries: all }: LoadedRun, at: number, entries: readonly Entry[]): void {
  const shared = new Set(referencedValues(entries).map(blobPath));
  const lost = blobProblems(paths, all.slice(0, at)).filter(({ path = '' }) => shared.has(path));
  if (lost.length > 0)
    throw new ReinsError(lost.map((one) => ({ ...one, hint: `${one.hint} Or fork at an earlier entry.` })));
}

/** Copies the values of the shared entries, except for lost ones that were requested again. */
async function copyValues(from: RunBlobs, to: RunBlobs, entries: readonly Entry[]): Promise<void> {
  for (const ref of referencedValues(entries)) {
    const value = from.readIfWhole(ref);
    if (value !== undefined) await to.put(value);
  }
}
