import { isObject, type Problem, problemsOfEntry, ReinsError, type RunAddress } from '@reins/contracts';
import {
  assertVerified,
  type DatedDraft,
  EMPTY_HEAD,
  type Entry,
  foldRun,
  type Head,
  sealEntries,
} from '@reins/journal';
import { firstUlid, nextUlid } from '../store/chained-ulid.ts';
import { prettyJson, readIfExists, replaceFile } from '../store/files.ts';
import {
  asSingleCommits,
  corruptFile,
  type EntryFile,
  entryFileText,
  isProblem,
  jsonOf,
  readJournalFiles,
  sequenceProblem,
  withFileNames,
} from '../store/journal-files.ts';
import { entryFileName, LAYOUT_VERSION, LEGACY_LAYOUT_VERSION, type RunPaths } from '../store/layout.ts';
import { swapJournal } from '../store/swap-journal.ts';
import { isRunFileLost, restoreRunFile } from '../views/run-file.ts';
import { metadataOf, stateView, writeSkeleton } from '../views/views.ts';
import { isChecksumRight, type LegacyEvent, LegacyFiles, legacyEventOf } from './legacy-files.ts';
import { isLegacyJournal } from './legacy-run-file.ts';
import { normalise } from './normalise.ts';
import { translateEvent } from './translate.ts';

/**
 * Whether babysitter wrote this run directory, by the layout version in `run.json`.
 * @param files the files of its journal, for a directory without `run.json`
 * @throws ReinsError `journal_corrupt` for an unknown layout version, or for a babysitter run without `run.json`
 */
export function isLegacyRun(paths: RunPaths, files: readonly EntryFile[] = []): boolean {
  const text = readIfExists(paths.run);
  if (text === undefined && isLegacyJournal(files)) throw new ReinsError({ ...LOST, message: 'run.json is missing' });
  if (text === undefined) return false;
  const stamp = stampOf(text);
  if (stamp === LAYOUT_VERSION || stamp === LEGACY_LAYOUT_VERSION) return stamp === LEGACY_LAYOUT_VERSION;
  throw new ReinsError({
    code: 'journal_corrupt',
    message:
      stamp === undefined
        ? 'run.json has no layoutVersion'
        : `run.json has the layout ${stamp}, which this version of Reins does not know`,
    path: 'run.json',
    hint:
      stamp === undefined
        ? 'Rebuild it from the journal with run:rebuild-state.'
        : `Use a version of Reins that knows it; this one knows ${LAYOUT_VERSION} and ${LEGACY_LAYOUT_VERSION}.`,
  });
}

const LOST = {
  code: 'journal_corrupt',
  path: 'run.json',
  hint: 'Rebuild it from the journal with run:rebuild-state.',
} as const;

function stampOf(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && typeof value.layoutVersion === 'string' ? value.layoutVersion : undefined;
  } catch (cause) {
    throw new ReinsError({ ...LOST, message: 'run.json is not JSON' }, { cause });
  }
}

/**
 * Translates a babysitter journal to entries. The same files always give the same entries.
 * @throws ReinsError `journal_corrupt`, naming the first invalid file
 */
export async function readLegacyRun(paths: RunPaths, run: RunAddress, files: readonly EntryFile[]): Promise<Entry[]> {
  const problem = sequenceProblem(files);
  if (problem) throw new ReinsError(problem);
  const legacyFiles = new LegacyFiles(paths.root);
  const seen = new InvocationKeysSeen();
  const drafts = files.map((file) => {
    const dated = translated(file, legacyFiles, run);
    if (seen.isDuplicate(dated)) throw new ReinsError(corruptFile(file, 'its invocation key was already requested'));
    return { ...dated, name: file.name };
  });
  const valid = normalise(drafts);
  const entries = sealDatedDrafts(valid);
  withFileNames(
    valid.map(({ name = '' }) => ({ name })),
    () => assertVerified(entries, run),
  );
  return entries;
}

function translated(file: EntryFile, legacyFiles: LegacyFiles, run: RunAddress): DatedDraft {
  const tampered = checksumProblem(file);
  if (tampered) throw new ReinsError(tampered);
  const dated = translateFile(file, legacyFiles, run);
  if ('code' in dated) throw new ReinsError(dated);
  return dated;
}

/** @returns the translated entry of a file, or the problem of the file */
export function translateFile(file: EntryFile, legacyFiles: LegacyFiles, run: RunAddress): DatedDraft | Problem {
  const value = jsonOf(file);
  if (isProblem(value)) return value;
  const event = legacyEventOf(file, value);
  if ('code' in event) return event as Problem;
  const unresolved = resolutionProblem(file, event, legacyFiles);
  if (unresolved) return unresolved;
  const dated = translateEvent(event, legacyFiles, run);
  const [problem] = problemsOfEntry(dated.draft.type, dated.draft.data);
  return problem ? corruptFile(file, problem.message) : dated;
}

/** The problem of a readable file whose checksum does not match. */
export function checksumProblem(file: EntryFile): Problem | undefined {
  const value = jsonOf(file);
  if (isProblem(value) || isChecksumRight(value)) return undefined;
  return corruptFile(file, 'its checksum does not match its content');
}

/** Babysitter stores results in their own files, and the journal is useless without them. */
function resolutionProblem(
  file: EntryFile,
  { type, data }: LegacyEvent,
  legacyFiles: LegacyFiles,
): Problem | undefined {
  if (type !== 'EFFECT_RESOLVED') return undefined;
  const { status, resultRef } = data;
  if (status !== 'ok' && status !== 'error')
    return corruptFile(file, `its status is ${JSON.stringify(status)}, neither ok nor error`);
  if (resultRef !== undefined && typeof resultRef !== 'string')
    return corruptFile(file, 'its resultRef is not a string');
  if (status === 'error' || resultRef === undefined) return undefined;
  const result = legacyFiles.object(resultRef);
  if (!result) return corruptFile(file, `its result ${resultRef} is missing or torn`);
  const { result: payload, value = payload, resultRef: large } = result;
  if (value != null || typeof large !== 'string' || legacyFiles.json(large) !== undefined) return undefined;
  return corruptFile(file, `the value ${large} of its result is missing or was altered`);
}

/** Invocation keys identify calls, so a second request with the same key is an error of the writer. */
export class InvocationKeysSeen {
  readonly #keys = new Set<string>();

  isDuplicate({ draft }: DatedDraft): boolean {
    if (draft.type !== 'EFFECT_REQUESTED') return false;
    const isDuplicate = this.#keys.has(draft.data.key);
    this.#keys.add(draft.data.key);
    return isDuplicate;
  }
}

export function sealDatedDrafts(drafts: readonly DatedDraft[]): Entry[] {
  let head: Head = EMPTY_HEAD;
  return drafts.map(({ draft, recordedAt }) => {
    const [entry] = sealEntries(head, [draft], recordedAt) as [Entry];
    head = { version: entry.version, hash: entry.hash };
    return entry;
  });
}

/** Converts a babysitter run directory before its first append. Keeps the old journal next to the new one. */
export async function migrateLegacyRun(paths: RunPaths, run: RunAddress): Promise<void> {
  const files = (await readJournalFiles(paths.journal)) ?? [];
  const entries = await readLegacyRun(paths, run, files);
  await installJournal(paths, run, entries, 'babysitter');
}

/** Replaces the journal of a run directory with these entries. @returns the path of the old journal */
export async function installJournal(
  paths: RunPaths,
  run: RunAddress,
  entries: readonly Entry[],
  label: string,
): Promise<string> {
  await writeSkeleton(paths);
  const files = namedFiles(run, entries);
  const kept = await swapJournal(paths, files, label);
  if (isRunFileLost(paths)) restoreRunFile(paths, run, entries, label);
  else stampRunFile(paths, run);
  replaceFile(paths.stateFile, prettyJson(stateView(foldRun(run, entries), files.at(-1)?.ulid ?? '')), {
    durable: false,
  });
  return kept;
}

function stampRunFile(paths: RunPaths, { workspaceId }: RunAddress): void {
  const before = metadataOf(paths);
  const was =
    before.layoutVersion === LAYOUT_VERSION
      ? {}
      : { migratedFrom: { layoutVersion: before.layoutVersion, sdkVersion: before.sdkVersion } };
  replaceFile(paths.run, prettyJson({ ...before, layoutVersion: LAYOUT_VERSION, workspaceId, ...was }), {
    durable: true,
  });
}

function namedFiles(run: RunAddress, entries: readonly Entry[]): { name: string; text: string; ulid: string }[] {
  let ulid = '';
  return asSingleCommits(entries).map((stored, i) => {
    const { entry } = stored;
    const before = entries[i - 1];
    ulid = before ? nextUlid({ ulid, hash: before.hash, recordedAt: before.recordedAt }) : firstUlid(run.runId);
    return { name: entryFileName({ seq: entry.version, ulid }), text: entryFileText(stored), ulid };
  });
}
