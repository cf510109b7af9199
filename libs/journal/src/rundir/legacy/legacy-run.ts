import { isObject, type Problem, problemsOfEntry, ReinsError, type RunAddress } from '@reins/contracts';
import { EMPTY_HEAD, type Entry, type Head, sealEntries } from '../../entries/entry.ts';
import { foldRun } from '../../state/apply-entry.ts';
import type { Dated } from '../../verify/lawful.ts';
import { assertVerified } from '../../verify/verify-entries.ts';
import { firstUlid, nextUlid } from '../chained-ulid.ts';
import { prettyJson, readIfThere, replaceFile } from '../files.ts';
import {
  alone,
  corruptFile,
  type EntryFile,
  entryText,
  isProblem,
  jsonOf,
  readJournalFiles,
  toldByFile,
  wrongRow,
} from '../journal-files.ts';
import { entryFileName, LAYOUT_VERSION, LEGACY_LAYOUT_VERSION, type RunPaths } from '../layout.ts';
import { isRunFileLost, restoreRunFile } from '../run-file.ts';
import { swapJournal } from '../swap-journal.ts';
import { metadataOf, stateView, writeSkeleton } from '../views.ts';
import { isChecksumRight, type LegacyEvent, LegacyFiles, legacyEventOf } from './legacy-files.ts';
import { isLegacyJournal } from './legacy-run-file.ts';
import { normalise } from './normalise.ts';
import { translateEvent } from './translate.ts';

/**
 * Whether babysitter wrote this run directory, by the stamp in `run.json`.
 * @param files of its journal, which say that it is where `run.json` is gone
 * @throws ReinsError `journal_corrupt` for a stamp that nobody here knows, or where a run of babysitter has none
 */
export function isLegacyRun(paths: RunPaths, files: readonly EntryFile[] = []): boolean {
  const text = readIfThere(paths.run);
  if (text === undefined && isLegacyJournal(files)) throw new ReinsError({ ...LOST, message: 'run.json is missing' });
  if (text === undefined) return false;
  const stamp = stampOf(text);
  if (stamp === LAYOUT_VERSION || stamp === LEGACY_LAYOUT_VERSION) return stamp === LEGACY_LAYOUT_VERSION;
  throw new ReinsError({
    code: 'journal_corrupt',
    message:
      stamp === undefined
        ? 'run.json has no layoutVersion'
        : `run.json has the layout ${stamp}, which is not known here`,
    path: 'run.json',
    hint:
      stamp === undefined
        ? 'run:rebuild-state makes it again from the journal'
        : `known are ${LAYOUT_VERSION} and ${LEGACY_LAYOUT_VERSION}`,
  });
}

const LOST = {
  code: 'journal_corrupt',
  path: 'run.json',
  hint: 'run:rebuild-state makes it again from the journal',
} as const;

function stampOf(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && typeof value.layoutVersion === 'string' ? value.layoutVersion : undefined;
  } catch (cause) {
    throw new ReinsError({ ...LOST, message: 'run.json is no JSON' }, { cause });
  }
}

/**
 * A legacy journal as entries of ours. The same files always make the same entries.
 * @throws ReinsError `journal_corrupt`, naming the first file that is wrong
 */
export async function readLegacyRun(paths: RunPaths, run: RunAddress, files: readonly EntryFile[]): Promise<Entry[]> {
  const wrong = wrongRow(files);
  if (wrong) throw new ReinsError(wrong);
  const beside = new LegacyFiles(paths.root);
  const seen = new InvocationKeysSeen();
  const row = files.map((file) => {
    const dated = translated(file, beside, run);
    if (seen.isSecond(dated)) throw new ReinsError(corruptFile(file, 'its invocation key was requested before'));
    return { ...dated, name: file.name };
  });
  const lawful = normalise(row);
  const entries = sealDated(lawful);
  toldByFile(
    lawful.map(({ name = '' }) => ({ name })),
    () => assertVerified(entries, run),
  );
  return entries;
}

function translated(file: EntryFile, beside: LegacyFiles, run: RunAddress): Dated {
  const tampered = tamperedWith(file);
  if (tampered) throw new ReinsError(tampered);
  const dated = translateFile(file, beside, run);
  if ('code' in dated) throw new ReinsError(dated);
  return dated;
}

/** @returns the entry that a legacy file stands for, or what is wrong with it */
export function translateFile(file: EntryFile, beside: LegacyFiles, run: RunAddress): Dated | Problem {
  const value = jsonOf(file);
  if (isProblem(value)) return value;
  const event = legacyEventOf(file, value);
  if ('code' in event) return event as Problem;
  const wrong = wrongResolution(file, event, beside);
  if (wrong) return wrong;
  const dated = translateEvent(event, beside, run);
  const [problem] = problemsOfEntry(dated.draft.type, dated.draft.data);
  return problem ? corruptFile(file, problem.message) : dated;
}

/** What is wrong with a legacy file that can be read, and yet is not what was written. */
export function tamperedWith(file: EntryFile): Problem | undefined {
  const value = jsonOf(file);
  if (isProblem(value) || isChecksumRight(value)) return undefined;
  return corruptFile(file, 'its checksum is not that of its content');
}

/** A result is beside the journal there, and the journal is worth nothing without it. */
function wrongResolution(file: EntryFile, { type, data }: LegacyEvent, beside: LegacyFiles): Problem | undefined {
  if (type !== 'EFFECT_RESOLVED') return undefined;
  const { status, resultRef } = data;
  if (status !== 'ok' && status !== 'error')
    return corruptFile(file, `its status is ${JSON.stringify(status)}, neither ok nor error`);
  if (resultRef !== undefined && typeof resultRef !== 'string') return corruptFile(file, 'its resultRef is no text');
  if (status === 'error' || resultRef === undefined) return undefined;
  const result = beside.object(resultRef);
  if (!result) return corruptFile(file, `the result that it names, ${resultRef}, is missing or torn`);
  const { result: payload, value = payload, resultRef: large } = result;
  if (value != null || typeof large !== 'string' || beside.json(large) !== undefined) return undefined;
  return corruptFile(file, `the value of its result, ${large}, is missing or is not what was written`);
}

/** Keys tell calls apart there: a second request with the same one is a fault of a writer. */
export class InvocationKeysSeen {
  readonly #keys = new Set<string>();

  isSecond({ draft }: Dated): boolean {
    if (draft.type !== 'EFFECT_REQUESTED') return false;
    const isSecond = this.#keys.has(draft.data.key);
    this.#keys.add(draft.data.key);
    return isSecond;
  }
}

export function sealDated(row: readonly Dated[]): Entry[] {
  let head: Head = EMPTY_HEAD;
  return row.map(({ draft, recordedAt }) => {
    const [entry] = sealEntries(head, [draft], recordedAt) as [Entry];
    head = { version: entry.version, hash: entry.hash };
    return entry;
  });
}

/** Makes of a legacy run directory one of ours, keeping its journal beside the new one: it is about to go on. */
export async function migrateLegacyRun(paths: RunPaths, run: RunAddress): Promise<void> {
  const files = (await readJournalFiles(paths.journal)) ?? [];
  const entries = await readLegacyRun(paths, run, files);
  await installJournal(paths, run, entries, 'babysitter');
}

/**
 * Writes entries as the journal of a run directory, in place of what is there.
 * @returns where the old journal is now
 */
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
  return alone(entries).map((stored, i) => {
    const { entry } = stored;
    const before = entries[i - 1];
    ulid = before ? nextUlid({ ulid, hash: before.hash, recordedAt: before.recordedAt }) : firstUlid(run.runId);
    return { name: entryFileName({ seq: entry.version, ulid }), text: entryText(stored), ulid };
  });
}
