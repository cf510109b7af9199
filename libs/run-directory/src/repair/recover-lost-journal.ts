import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { defined, type RunAddress } from '@reins/contracts';
import type { DatedDraft, EntryDraft } from '@reins/journal';
import { LegacyFiles } from '../legacy/legacy-files.ts';
import type { RunPaths } from '../store/layout.ts';
import { metadataOf } from '../views/views.ts';
import { effectIdsWithFolder, requestsFromTask } from './file-drafts.ts';
import { generationOf } from './missing-restarts.ts';
import { firstEntryFromMetadata } from './recovered-results.ts';
import { startCandidates } from './start-candidates.ts';

/** An entry recovered from other files, without a hash that proves it. */
export interface RecoveredDraft extends DatedDraft {
  /** Run-relative. */
  readonly from: string;
}

/**
 * Recovers the start and the requests of a run whose journal has no entry left, from `run.json`, `inputs.json` and
 * `tasks/`. The caller adds the answers. Empty when `run.json` does not describe the run.
 */
export function recoverLostJournal(paths: RunPaths, run: RunAddress): RecoveredDraft[] {
  const firstEntry = firstEntryDraft(paths, run);
  if (!firstEntry) return [];
  const tasks = effectIdsWithFolder(paths).flatMap((effectId) => requestFromTask(paths, effectId) ?? []);
  const requests = inOrder(tasks, paths);
  return [firstEntry, ...withRestarts(requests, paths, firstEntry), ...endFromOutput(paths)];
}

function firstEntryDraft(paths: RunPaths, run: RunAddress): RecoveredDraft | undefined {
  const [own] = startCandidates(1, [], paths, run).drafts;
  if (own?.recordedAt !== undefined) return { draft: own.draft, recordedAt: own.recordedAt, from: own.from };
  const found = firstEntryFromMetadata(metadataOf(paths), new LegacyFiles(paths.root), run);
  return found && { ...found, from: 'run.json' };
}

interface RequestedTask extends RecoveredDraft {
  readonly key: string;
  /** When its file was written, in milliseconds. */
  readonly written: number;
  /**
   * File system clocks are coarse. Files of one turn are written in sequence, and mostly get ascending inode numbers.
   */
  readonly ino: number;
  readonly answered: number;
}

function requestFromTask(paths: RunPaths, effectId: string): RequestedTask | undefined {
  const [found] = requestsFromTask(paths, effectId);
  if (found?.draft.type !== 'EFFECT_REQUESTED' || generationOf(found.draft.data.key) > MAX_RESTARTS) return undefined;
  const { draft, from } = found;
  const { finishedAt } = new LegacyFiles(paths.root).object(`tasks/${effectId}/result.json`) ?? {};
  const answered = typeof finishedAt === 'string' ? Date.parse(finishedAt) : Number.NaN;
  const { mtimeMs, ino } = statSync(join(paths.root, from));
  return {
    draft,
    from,
    key: draft.data.key,
    written: mtimeMs,
    ino,
    answered: Number.isNaN(answered) ? Number.POSITIVE_INFINITY : answered,
    recordedAt: '',
  };
}

/**
 * A task's file is written when the task is requested, so after all earlier answers by the same clock. A copied file
 * may be younger, but it is never younger than its answer.
 */
function inOrder(requests: readonly RequestedTask[], paths: RunPaths): RequestedTask[] {
  const answers = effectIdsWithFolder(paths).flatMap((effectId) => answerFromResult(paths, effectId) ?? []);
  const remaining = answers.toSorted((a, b) => a.written - b.written);
  let latest = 0;
  return requests
    .toSorted((a, b) => a.written - b.written || countOf(a) - countOf(b) || a.ino - b.ino)
    .map((one) => {
      while ((remaining[0]?.written ?? Number.POSITIVE_INFINITY) <= one.written)
        latest = Math.max(latest, remaining.shift()?.finishedAt ?? 0);
      const at = Math.min(Math.max(one.written, latest), one.answered);
      return { ...one, recordedAt: new Date(at).toISOString() };
    })
    .toSorted((a, b) => Date.parse(a.recordedAt) - Date.parse(b.recordedAt));
}

/** A key that claims more restarts was damaged. */
const MAX_RESTARTS = 100_000;

/** The counter in the key of calls with equal shape. */
const countOf = ({ key }: RequestedTask): number => Number(/\.(\d+)$/.exec(key)?.[1] ?? 0);

function answerFromResult(paths: RunPaths, effectId: string) {
  const from = `tasks/${effectId}/result.json`;
  const { finishedAt } = new LegacyFiles(paths.root).object(from) ?? {};
  if (typeof finishedAt !== 'string' || Number.isNaN(Date.parse(finishedAt))) return undefined;
  return { written: statSync(join(paths.root, from)).mtimeMs, finishedAt: Date.parse(finishedAt) };
}

/** Adds the restarts that the keys of later requests show. */
function withRestarts(
  requests: readonly RequestedTask[],
  paths: RunPaths,
  { draft }: RecoveredDraft,
): RecoveredDraft[] {
  const last = Math.max(0, ...requests.map(({ key }) => generationOf(key)));
  let starts = 0;
  return requests.flatMap(({ key, draft: request, recordedAt, from }) => {
    const one = { draft: request, recordedAt, from };
    const before: RecoveredDraft[] = [];
    for (; starts < generationOf(key); starts += 1)
      before.push({ ...restart(draft, paths, starts + 1 === last), recordedAt: one.recordedAt });
    return [...before, one];
  });
}

function restart({ type, data }: EntryDraft, paths: RunPaths, isLast: boolean): Omit<RecoveredDraft, 'recordedAt'> {
  const inputs = isLast ? new LegacyFiles(paths.root).json('inputs.json') : undefined;
  const process = type === 'RUN_CREATED' ? data.process : { id: '', codeHash: '' };
  const given = { process, ...defined({ inputs }) };
  return { draft: { type: 'PROCESS_ASSIGNED', data: given }, from: 'run.json' };
}

/** A completed run has an output file. */
function endFromOutput(paths: RunPaths): RecoveredDraft[] {
  const from = 'state/output.json';
  const output = new LegacyFiles(paths.root).json(from);
  const isAnswered = effectIdsWithFolder(paths).every((id) => existsSync(join(paths.tasks, id, 'result.json')));
  if (output === undefined || !isAnswered) return [];
  const recordedAt = statSync(paths.outputFile).mtime.toISOString();
  return [{ draft: { type: 'RUN_COMPLETED', data: { output } }, recordedAt, from }];
}
