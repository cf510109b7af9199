import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { RunAddress } from '@reins/contracts';
import type { EntryDraft } from '../entries/entry.ts';
import type { Dated } from '../verify/lawful.ts';
import { effectIdsBeside, requestsBeside } from './beside-drafts.ts';
import type { RunPaths } from './layout.ts';
import { LegacyFiles } from './legacy/legacy-files.ts';
import { generationOf } from './lost-starts.ts';
import { beginningOf } from './rescue.ts';
import { startBeside } from './starts-beside.ts';
import { metadataOf } from './views.ts';

/** An entry that is made from what lies beside the journal, and nothing proves. */
export interface MadeEntry extends Dated {
  /** Run-relative. */
  readonly from: string;
}

/**
 * What a run whose journal has no entry left began with and asked for, as `run.json`, `inputs.json` and `tasks/` have it: the answers are entered
 * by whoever enters those of other journals. Empty when `run.json` does not say what the run is.
 */
export function journalBeside(paths: RunPaths, run: RunAddress): MadeEntry[] {
  const beginning = beginningBeside(paths, run);
  if (!beginning) return [];
  const tasks = effectIdsBeside(paths).flatMap((effectId) => askedBeside(paths, effectId) ?? []);
  const asked = inOrder(tasks, paths);
  return [beginning, ...withStarts(asked, paths, beginning), ...endBeside(paths)];
}

function beginningBeside(paths: RunPaths, run: RunAddress): MadeEntry | undefined {
  const [own] = startBeside(1, [], paths, run).drafts;
  if (own?.recordedAt !== undefined) return { draft: own.draft, recordedAt: own.recordedAt, from: own.from };
  const found = beginningOf(metadataOf(paths), new LegacyFiles(paths.root), run);
  return found && { ...found, from: 'run.json' };
}

interface Asked extends MadeEntry {
  readonly key: string;
  /** When its file was written, in milliseconds. */
  readonly written: number;
  /** Clocks of file systems are coarse: those of one turn were written one after the other, and mostly numbered so. */
  readonly ino: number;
  readonly answered: number;
}

function askedBeside(paths: RunPaths, effectId: string): Asked | undefined {
  const [found] = requestsBeside(paths, effectId);
  if (found?.draft.type !== 'EFFECT_REQUESTED') return undefined;
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
 * A task's file is written once, when it is asked for: not before what was answered until then, by the same clock. A copy of it may be younger,
 * but what answers it is not.
 */
function inOrder(asked: readonly Asked[], paths: RunPaths): Asked[] {
  const answers = effectIdsBeside(paths).flatMap((effectId) => answerBeside(paths, effectId) ?? []);
  const left = answers.toSorted((a, b) => a.written - b.written);
  let latest = 0;
  return asked
    .toSorted((a, b) => a.written - b.written || countOf(a) - countOf(b) || a.ino - b.ino)
    .map((one) => {
      while ((left[0]?.written ?? Number.POSITIVE_INFINITY) <= one.written)
        latest = Math.max(latest, left.shift()?.finishedAt ?? 0);
      const at = Math.min(Math.max(one.written, latest), one.answered);
      return { ...one, recordedAt: new Date(at).toISOString() };
    })
    .toSorted((a, b) => Date.parse(a.recordedAt) - Date.parse(b.recordedAt));
}

/** Calls that ask for the same are counted in their keys. */
const countOf = ({ key }: Asked): number => Number(/\.(\d+)$/.exec(key)?.[1] ?? 0);

function answerBeside(paths: RunPaths, effectId: string) {
  const from = `tasks/${effectId}/result.json`;
  const { finishedAt } = new LegacyFiles(paths.root).object(from) ?? {};
  if (typeof finishedAt !== 'string' || Number.isNaN(Date.parse(finishedAt))) return undefined;
  return { written: statSync(join(paths.root, from)).mtimeMs, finishedAt: Date.parse(finishedAt) };
}

/** What was asked for after the process had started anew says so in its key. */
function withStarts(asked: readonly Asked[], paths: RunPaths, { draft }: MadeEntry): MadeEntry[] {
  const last = Math.max(0, ...asked.map(({ key }) => generationOf(key)));
  let starts = 0;
  return asked.flatMap(({ key, draft: request, recordedAt, from }) => {
    const one = { draft: request, recordedAt, from };
    const before: MadeEntry[] = [];
    for (; starts < generationOf(key); starts += 1)
      before.push({ ...startedAnew(draft, paths, starts + 1 === last), recordedAt: one.recordedAt });
    return [...before, one];
  });
}

function startedAnew({ type, data }: EntryDraft, paths: RunPaths, isLast: boolean): Omit<MadeEntry, 'recordedAt'> {
  const inputs = isLast ? new LegacyFiles(paths.root).json('inputs.json') : undefined;
  const process = type === 'RUN_CREATED' ? data.process : { id: '', codeHash: '' };
  const given = { process, ...(inputs !== undefined && { inputs }) };
  return { draft: { type: 'PROCESS_ASSIGNED', data: given }, from: 'run.json' };
}

/** A run that came to its end has its output. */
function endBeside(paths: RunPaths): MadeEntry[] {
  const from = 'state/output.json';
  const output = new LegacyFiles(paths.root).json(from);
  const isAnswered = effectIdsBeside(paths).every((id) => existsSync(join(paths.tasks, id, 'result.json')));
  if (output === undefined || !isAnswered) return [];
  const recordedAt = statSync(paths.outputFile).mtime.toISOString();
  return [{ draft: { type: 'RUN_COMPLETED', data: { output } }, recordedAt, from }];
}
