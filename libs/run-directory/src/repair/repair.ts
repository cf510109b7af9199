import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { type Problem, type ProcessRef, ReinsError, type RunAddress } from '@reins/contracts';
import { type DatedDraft, draftProblem, type Entry, foldRun, type RunState } from '@reins/journal';
import { LegacyFiles } from '../legacy/legacy-files.ts';
import { installJournal, sealDatedDrafts } from '../legacy/legacy-run.ts';
import { isLegacyJournal, restoreLegacyRunFile } from '../legacy/legacy-run-file.ts';
import { normalise } from '../legacy/normalise.ts';
import { misnamedFiles } from '../store/changed-entry.ts';
import { makeDirectories, syncDirectory } from '../store/files.ts';
import { type EntryFile, readableEntry } from '../store/journal-files.ts';
import { readJournalFolder } from '../store/journal-folder.ts';
import type { RunPaths } from '../store/layout.ts';
import type { RunDirectoryStore } from '../store/run-directory-store.ts';
import { stateHead } from '../store/state-head.ts';
import { currentJournal } from '../store/swap-journal.ts';
import { codeToKeep } from '../values/kept-code.ts';
import { RunBlobs } from '../values/run-blobs.ts';
import { addressIn, isRunFileLost, isRunIdWrong } from '../views/run-file.ts';
import { legacyFileProblems } from '../views/verify-views.ts';
import { updateRunMetadata } from '../views/views.ts';
import { type ArrangedEntries, arrangeEntries } from './arrange-entries.ts';
import { classifyEntries } from './classify-entries.ts';
import { type Dropped, type KeptEntry } from './kept-entry.ts';
import { answeredAt, answerPlaces } from './lost-answers.ts';
import { lostMarks } from './lost-notes.ts';
import { type FoundValue, foundValues } from './lost-values.ts';
import type { ExtraFile } from './place-chain.ts';
import { draftOf } from './proof.ts';
import type { RecoveredDraft } from './recover-lost-journal.ts';
import { type RecoveryReport, withResultsFromFiles } from './recovered-results.ts';
import { HEADLESS, isHeadless, lostBlobs, lostEnd, lostEntries, lostTask, unprovenFirst } from './repair-losses.ts';
import type { RepairPlan, RepairResult } from './repair-plan.ts';
import { type Suspicion, suspicionsOf } from './suspicions.ts';
import { isUnchanged } from './unchanged.ts';
import {
  acceptanceNote,
  assertAcceptable,
  changedNotes,
  isAcceptedBy,
  type UnprovenEntry,
  unprovenEntries,
  unprovenWarning,
  withAcceptanceNotes,
  withRivals,
} from './unproven.ts';

/**
 * Repairs a corrupted journal and keeps as much of it as possible. Drops torn files, duplicate requests and results,
 * and results of unknown effects, each with a reason. Orders the entries by their hash chain, whatever their files are
 * named, chains what remains again, and adds results that are intact in other files. Keeps the old journal; a crash
 * leaves the old or the new one.
 * @param options `dryRun` reports the changes without making them. Changed content that nothing proves has to be
 *   accepted; otherwise nothing is changed
 * @throws ReinsError `journal_corrupt` when nothing can be kept · `wrong_usage` when there is nothing to accept
 */
export async function repairJournal(
  store: RunDirectoryStore,
  run: RunAddress,
  options: RepairOptions = {},
): Promise<RepairResult> {
  const paths = store.pathsOf(run);
  if (options.dryRun) return repair(paths, run, options);
  return store.exclusively(run, 'repair-journal', async () => {
    const result = await repair(paths, run, options);
    store.forget(run);
    return result;
  });
}

interface RepairOptions {
  readonly dryRun?: boolean;
  readonly now?: () => Date;
  /** Effect ids, or entry numbers, whose changed content is accepted although nothing proves it. */
  readonly accept?: readonly string[];
  /** The process of a run that lost both its first entry and `run.json`. */
  readonly process?: ProcessRef;
}

async function repair(paths: RunPaths, given: RunAddress, options: RepairOptions): Promise<RepairResult> {
  const now = options.now?.() ?? new Date();
  const repaired = await repairedJournal(paths, given, options, now);
  const { plan, run, files, entries, found, isSame } = repaired;
  if (options.dryRun || plan.unproven) return plan;
  if (entries.length === 0) throw new ReinsError(nothingLeft(repaired));
  const blobs = new RunBlobs(paths);
  for (const { value } of found) await blobs.put(value);
  if (plan.runId !== undefined) updateRunMetadata(paths, { runId: run.runId });
  const label = `bak.${now.getTime()}`;
  if (isSame) {
    await moveAside(paths, plan.aside ?? [], label);
    return plan;
  }
  if (isRunFileLost(paths) && isLegacyJournal(files)) restoreLegacyRunFile(paths, files, label);
  return { ...plan, backup: await installJournal(paths, run, entries, label) };
}

interface RepairedJournal {
  readonly plan: RepairPlan;
  readonly run: RunAddress;
  readonly files: readonly EntryFile[];
  readonly entries: readonly Entry[];
  /** Lost blobs that another file has. */
  readonly found: readonly FoundValue[];
  /** The entries are those that the journal has. */
  readonly isSame: boolean;
  /** Only the first entry is missing, and the process is not given. */
  readonly isHeadless: boolean;
}

/** Decides what to repair, and changes nothing. */
async function repairedJournal(
  paths: RunPaths,
  given: RunAddress,
  { accept = [], process }: RepairOptions,
  now: Date,
): Promise<RepairedJournal> {
  const folder = await readJournalFolder(await currentJournal(paths));
  const arranged = arrangeEntries(folder.files, stateHead(paths));
  const { files, extras } = arranged;
  const run = addressIn(paths, files, given);
  const asFound = classifyEntries(files, paths, run, process);
  const classified = { ...asFound, kept: withRivals(asFound.kept, arranged.branches) };
  const { kept, isLegacy, recoveredDrafts } = classified;
  const isAccepted = isAcceptedBy(accept);
  const first = unprovenFirst(classified, process !== undefined);
  const changed = unprovenEntries(kept);
  const suspicious = suspicionsOf(kept);
  const reordered = withMisnamed(arranged);
  const acceptedFirst = first.filter((one) => process || isAccepted(one));
  const acceptedChanges = changed.filter(isAccepted);
  const readable = [
    ...recoveredDrafts,
    ...acceptedFirst.map((one) => noteAfter(recoveredDrafts, one, now)),
    ...withAcceptanceNotes(kept, acceptedChanges, now),
  ];
  const valid = isLegacy ? normalise(readable) : readable;
  const places = answerPlaces({ files, kept }, stateHead(paths)?.version ?? 0);
  const isAnyPlace = isLegacy || kept.length === 0;
  const results = withResultsFromFiles(valid, new LegacyFiles(paths.root), run, {
    now,
    answeredAt: (effectId) => answeredAt(effectId, { files, kept }),
    placeOf: (effectId) => places(effectId) ?? (isAnyPlace ? files.length + 1 : undefined),
    isAccepted,
  });
  const { drafts } = results;
  const all = [...(process ? [] : first), ...changed, ...results.unproven];
  assertAcceptable(accept, all);
  const unproven = all.filter((one) => !isAccepted(one));
  const accepted = all.filter(isAccepted);
  const rescued: RecoveryReport[] = [
    ...recoveredDrafts.map(reportOfFirstEntry),
    ...kept.flatMap(reportOf),
    ...results.rescued,
  ];
  const entries = sealDatedDrafts(drafts);
  const state = foldRun(run, entries);
  const dropped = [...classified.dropped, ...droppedExtras(extras, state)];
  const aside = [...folder.others, ...extras.filter(({ file }) => !file.named).map(asideOf)];
  const isSame =
    dropped.length + rescued.length + suspicious.length + reordered.length === 0 && isUnchanged(files, entries);
  const found = foundValues(paths, entries);
  const isWrongId = isRunIdWrong(paths, files, run);
  const isUntouched = isSame && found.length + aside.length === 0 && !isWrongId && entries.length > 0;
  const lost = lostBlobs(paths, entries, found);
  const headless = isHeadless(classified);
  const missing = headless
    ? [...classified.missing, ...(process ? [] : [HEADLESS])]
    : [
        ...classified.missing,
        ...lostEntries(classified, { files, state, results: results.rescued }),
        ...lostMarks(files, kept),
        ...lostEnd(paths, files.at(-1)?.seq ?? 0, kept.at(-1)?.file.seq ?? 0),
        ...(isLegacy ? legacyFileProblems(paths, state).map(lostTask) : []),
      ];
  const warnings = [
    ...unproven.map(unprovenWarning),
    ...missing.map(({ why }) => why),
    ...changedNotes(kept),
    ...(isLegacy ? [...suspicious.map(changedEvent), ...misplacedEvents(files)] : []),
    ...(isWrongId ? [`run.json belongs to another run: its runId is restored (${run.runId})`] : []),
    ...(isRunFileLost(paths) ? [runFileLost(isUntouched)] : []),
    ...lost.map(({ message, hint }) => `${message}. ${hint}`),
  ];
  const plan = {
    files: folder.files.filter(({ named }) => named).length,
    entries: entries.length,
    notes: acceptedFirst.length + acceptedChanges.length,
    dropped,
    ...(reordered.length > 0 && { reordered }),
    ...(aside.length > 0 && { aside }),
    suspicious,
    ...(unproven.length > 0 && { unproven }),
    ...(accepted.length > 0 && { accepted }),
    ...(isWrongId && { runId: run.runId }),
    rescued,
    restored: found.map(({ path, from }) => ({ path, from })),
    lost: [...new Set([...missing, ...lost].flatMap(({ path }) => path ?? []))],
    warnings,
    processes: codeToKeep(paths, entries),
    whole: isUntouched && lost.length === 0 && missing.length === 0,
  };
  return { plan, run, files, entries, found, isSame, isHeadless: headless && !process };
}

/** The files whose name is wrong: by its number, or because it does not follow from the previous entry. */
function withMisnamed({ reordered, files }: Pick<ArrangedEntries, 'files' | 'reordered'>) {
  const names = new Set(reordered.map(({ name }) => name));
  const others = misnamedFiles(files).filter(({ name }) => !names.has(name));
  return [...reordered, ...others.map(({ name, seq }) => ({ name, version: seq }))];
}

const noteAfter = (recoveredDrafts: readonly RecoveredDraft[], first: UnprovenEntry, now: Date): DatedDraft => ({
  draft: acceptanceNote(first, now),
  recordedAt: recoveredDrafts.at(-1)?.recordedAt ?? now.toISOString(),
});

/** The checksums of babysitter are not a chain, and its entries hold no values. */
const changedEvent = ({ name, why }: Suspicion): string => `${name}: ${why}; it is kept as it is`;

/** The names of babysitter's entries are all that shows their order. A clock that was set back gives such names too. */
const misplacedEvents = (files: readonly EntryFile[]): string[] =>
  files.flatMap(({ name, ulid }, i) =>
    ulid >= (files[i - 1]?.ulid ?? '')
      ? []
      : [
          `${name}: its ULID is earlier than that of the previous number; the entries are in the order of their numbers`,
        ],
  );

/** A file with the name of an entry is reported like an invalid entry. */
function droppedExtras(extras: readonly ExtraFile[], state: RunState): Dropped[] {
  return extras
    .filter(({ file }) => file.named)
    .map(({ file, why }) => {
      const content = readableEntry({ ...file, seq: 0, ulid: '' });
      const invalid = content && draftProblem(state, draftOf(content, file.name));
      return {
        name: file.name,
        why: why.startsWith('entry') ? (invalid ?? why) : why,
        ...(content && { type: content.type }),
      };
    });
}

const asideOf = ({ file: { name }, why }: ExtraFile) => ({ name, why });

/** Moves everything that is not an entry out of the folder of the journal, and keeps it. */
async function moveAside(paths: RunPaths, aside: readonly { readonly name: string }[], label: string): Promise<void> {
  if (aside.length === 0) return;
  await makeDirectories([paths.orphaned]);
  for (const { name } of aside) await rename(join(paths.journal, name), join(paths.orphaned, `${name}.${label}`));
  syncDirectory(paths.orphaned);
  syncDirectory(paths.journal);
}

const runFileLost = (isUntouched: boolean): string =>
  isUntouched
    ? 'run.json is missing or torn: rebuild it with run:rebuild-state'
    : 'run.json is missing or torn: it is rebuilt from the journal';

const nothingLeft = ({ plan, isHeadless }: RepairedJournal): Problem => ({
  code: 'journal_corrupt',
  message: ['no entry of the journal can be kept, so the journal was not changed', ...plan.warnings].join('; '),
  path: 'journal',
  hint: isHeadless
    ? 'Name the process with --entry <path>#<export> to rebuild the first entry, or restore run.json from a copy.'
    : 'Restore the journal from a copy; run:repair-journal --dry-run lists the problem of each entry.',
});

const reportOfFirstEntry = ({ draft: { type, data }, from }: RecoveredDraft): RecoveryReport => ({
  ...('effectId' in data && data.effectId !== undefined && { effectId: data.effectId }),
  type,
  from,
  isProven: false,
});

/** An entry whose file could be read is not rescued, even if its content was replaced. */
function reportOf({ draft: { type, data }, recovered, isLost }: KeptEntry): RecoveryReport[] {
  if (!recovered || !isLost) return [];
  const { from, isProven } = recovered;
  return [
    { ...('effectId' in data && data.effectId !== undefined && { effectId: data.effectId }), type, from, isProven },
  ];
}
