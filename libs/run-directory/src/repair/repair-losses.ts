import type { Problem } from '@reins/contracts';
import type { Entry, RunState } from '@reins/journal';
import type { EntryFile } from '../store/journal-files.ts';
import { numberOf, type RunPaths } from '../store/layout.ts';
import { stateHead } from '../store/state-head.ts';
import { blobProblems } from '../views/verify-views.ts';
import type { ClassifiedEntries } from './classify-entries.ts';
import type { MissingData } from './entry-recovery.ts';
import { lostAnswers, lostUnknown } from './lost-answers.ts';
import { lostOthers } from './lost-notes.ts';
import type { FoundValue } from './lost-values.ts';
import type { RecoveryReport } from './recovered-results.ts';
import type { UnprovenEntry } from './unproven.ts';

/**
 * A first entry that was recovered from other files, next to entries whose chain shows that there was another one. It
 * decides which process runs, with which inputs and which policy rules.
 */
export function unprovenFirst(
  { recoveredDrafts, kept, isLegacy }: ClassifiedEntries,
  isGiven: boolean,
): UnprovenEntry[] {
  const [first] = recoveredDrafts;
  if (!first || isLegacy || kept.length === 0) return [];
  return [{ entry: 1, name: numberOf(1), type: first.draft.type, from: isGiven ? '--entry' : first.from }];
}

/** The first entry is lost and cannot be recovered, so the others have nothing to follow. */
export const isHeadless = ({ kept, recoveredDrafts, dropped }: ClassifiedEntries): boolean =>
  kept.length + recoveredDrafts.length === 0 && dropped.some(({ type }) => type !== undefined);

export const HEADLESS: MissingData = {
  why: 'the first entry and run.json are lost: no file names the process of the entries that follow. Name it with --entry <path>#<export>',
  path: `journal/${numberOf(1)}`,
};

/**
 * Reports entries that cannot be recovered. Most lost entries of a babysitter journal are notes, so unknown ones are
 * not reported there.
 */
export function lostEntries(
  { kept, isLegacy, missing }: ClassifiedEntries,
  { files, state, results }: { files: readonly EntryFile[]; state: RunState; results: readonly RecoveryReport[] },
): MissingData[] {
  const answers = lostAnswers(state, { files, kept }, results.length);
  if (isLegacy || missing.some(({ path }) => path !== undefined)) return answers;
  const others = lostOthers(files, kept, new Set(results.map(({ effectId }) => effectId)));
  return [...answers, ...others, ...(answers.length > 0 ? [] : lostUnknown({ files, kept }, results.length))];
}

/** The state is written after its entries, so it can show that later entries existed. */
export function lostEnd(paths: RunPaths, last: number, kept: number): MissingData[] {
  const end = stateHead(paths)?.version ?? 0;
  if (last === 0 || end <= Math.max(last, kept)) return [];
  const from = Math.max(last, kept) + 1;
  const what = end === from ? `entry ${end}` : `entries ${from} to ${end}`;
  const why = `${what}, which state/state.json refers to, cannot be found: the progress of the run there is lost`;
  return [{ why, path: `journal/${numberOf(from)}` }];
}

export const lostTask = ({ message, hint, path }: Problem): MissingData => ({
  why: `${message}. ${hint}`,
  ...(path && { path }),
});

export function lostBlobs(paths: RunPaths, entries: readonly Entry[], found: readonly FoundValue[]): Problem[] {
  const again = new Set(found.map(({ path }) => path));
  return blobProblems(paths, entries).filter(({ path = '' }) => !again.has(path));
}
