import type { ProcessRef, RunAddress } from '@reins/contracts';
import { type DatedDraft, type Entry, type EntryDraft, effectIdOf } from '@reins/journal';
import { LegacyFiles } from '../legacy/legacy-files.ts';
import { numberOf, type RunPaths } from '../store/layout.ts';
import { metadataOf } from '../views/views.ts';
import type { MissingData } from './entry-recovery.ts';
import { type RecoveredDraft, recoverLostJournal } from './recover-lost-journal.ts';
import { firstEntryFromMetadata } from './recovered-results.ts';
import { isStart, startCandidates } from './start-candidates.ts';

/** The result of recovering a first entry whose file is missing. */
interface FirstEntryRecovery {
  readonly recoveredDrafts: readonly RecoveredDraft[];
  /** The data of the first entry that is lost. */
  readonly lostData: readonly MissingData[];
}

const UNPROVEN_FIRST_ENTRY: MissingData = {
  why: 'the first entry was recovered from run.json and inputs.json, and does not match the recorded hash: data that they do not contain, such as the run that it was forked from, is lost',
};

const OVERWRITTEN_INPUTS: MissingData = {
  why: 'the first entry was recovered from run.json, and its inputs are lost because inputs.json belongs to a later start: the run continues from that start, but nothing before it can be replayed',
  path: `journal/${numberOf(1)}`,
};

const ENTRY_FOR_PROCESS: MissingData = {
  why: 'the first entry was recovered for the given process, with the inputs in inputs.json: its metadata, session and code hash are lost',
};

const NO_ENTRY: MissingData = {
  why: 'the journal has no entry left: requests and answers were recovered from run.json and tasks/, but entries without a file, such as steps and signals, are lost, and the process may not be able to continue (replay_nondeterminism)',
  path: 'journal',
};

const NOTHING_LEFT: MissingData = {
  why: 'the journal has no entry left, and run.json does not describe the run',
  path: 'journal',
};

export const NOTHING_RECOVERED: FirstEntryRecovery = { recoveredDrafts: [], lostData: [] };

/** An entry of the journal, at the place of its file. */
interface PlacedEntry extends DatedDraft {
  readonly file: { readonly seq: number };
}

/**
 * Recovers the first entry from `run.json` and `inputs.json`. Data that a later start of the process overwrote is left
 * empty.
 * @param process used if `run.json` does not describe the run
 */
export function recoverFirstEntry(
  finished: readonly PlacedEntry[],
  paths: RunPaths,
  run: RunAddress,
  process?: ProcessRef,
): FirstEntryRecovery {
  if (finished.length === 0) {
    const recoveredDrafts = recoverLostJournal(paths, run);
    return { recoveredDrafts, lostData: [recoveredDrafts.length > 0 ? NO_ENTRY : NOTHING_LEFT] };
  }
  const entries = finished.map(({ draft, file, recordedAt }) => ({ ...draft, version: file.seq, recordedAt }) as Entry);
  const { drafts, isOverwritten } = startCandidates(1, entries, paths, run);
  const [own] = drafts;
  const dated = own?.recordedAt === undefined ? undefined : { draft: own.draft, recordedAt: own.recordedAt };
  const found = dated ?? firstEntryFromMetadata(metadataOf(paths), new LegacyFiles(paths.root), run);
  if (!found) return process ? entryForProcess(process, entries, paths, run) : NOTHING_RECOVERED;
  const unproven = dated ? [UNPROVEN_FIRST_ENTRY] : [];
  return {
    recoveredDrafts: [{ ...found, from: 'run.json' }],
    lostData: dated && isOverwritten ? [OVERWRITTEN_INPUTS] : unproven,
  };
}

/** A first entry without any description of the run. A later PROCESS_ASSIGNED entry contains the process before it. */
function entryForProcess(
  process: ProcessRef,
  entries: readonly Entry[],
  paths: RunPaths,
  run: RunAddress,
): FirstEntryRecovery {
  const [next] = entries;
  if (!next) return NOTHING_RECOVERED;
  if (!hasEffectsOf(entries, run)) return { recoveredDrafts: [], lostData: [otherRunId(run)] };
  const again = entries.find(isStart);
  const first = again?.type === 'PROCESS_ASSIGNED' ? (again.data.previous ?? process) : process;
  const isReplaced = again?.data.inputs !== undefined;
  const inputs = isReplaced ? null : (new LegacyFiles(paths.root).json('inputs.json') ?? null);
  const owner = { workspaceId: run.workspaceId, sessionId: 'local', agentId: 'local', revision: '0'.repeat(64) };
  const data = { ...owner, process: first, inputs, session: {}, idempotencyKey: run.runId };
  const draft: EntryDraft = { type: 'RUN_CREATED', data };
  return {
    recoveredDrafts: [{ draft, recordedAt: next.recordedAt, from: isReplaced ? '--entry' : 'inputs.json' }],
    lostData: [isReplaced ? OVERWRITTEN_INPUTS : ENTRY_FOR_PROCESS],
  };
}

/** Whether the effects of a journal can be those of the run: their ids follow from its id. */
function hasEffectsOf(entries: readonly Entry[], { runId }: RunAddress): boolean {
  const requests = entries.filter(
    (entry) => entry.type === 'EFFECT_REQUESTED' && /^ef_[0-9a-f]{24}$/.test(entry.data.effectId),
  ) as Entry<'EFFECT_REQUESTED'>[];
  return requests.length === 0 || requests.some(({ data }) => data.effectId === effectIdOf(runId, data.key));
}

const otherRunId = ({ runId }: RunAddress): MissingData => ({
  why: `the id of the run is lost: the effects in the journal do not belong to run ${runId}. Rename the directory to the id of the run (for a fork, of the first run), and repair it again`,
  path: 'run.json',
});
