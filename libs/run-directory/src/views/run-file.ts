import { basename } from 'node:path';
import { defined, isObject, isToken, type RunAddress } from '@reins/contracts';
import { type Entry, foldRun } from '@reins/journal';
import { isLegacyJournal, legacyAddress } from '../legacy/legacy-run-file.ts';
import { firstUlid } from '../store/chained-ulid.ts';
import { prettyJson, readIfExists, replaceFile } from '../store/files.ts';
import { type EntryFile, readableEntry } from '../store/journal-files.ts';
import { LAYOUT_VERSION, type RunPaths } from '../store/layout.ts';
import { metadataOf, writeRunView } from './views.ts';

/** Whether `run.json` is missing or torn, so that it does not identify the run. */
export function isRunFileLost(paths: RunPaths): boolean {
  try {
    const value: unknown = JSON.parse(readIfExists(paths.run) ?? '');
    return !isObject(value) || typeof value.layoutVersion !== 'string';
  } catch {
    return true;
  }
}

/**
 * The address of a run directory. The file name of the first entry confirms the run id, whatever `run.json` says. The
 * first entry has the workspace of a directory without a usable `run.json`. Otherwise the given address.
 */
export function addressIn(paths: RunPaths, files: readonly EntryFile[], given: RunAddress): RunAddress {
  const [first] = files;
  if (isLegacyJournal(files)) return isRunFileLost(paths) ? legacyAddress(files, given) : given;
  const entry = first && readableEntry(first);
  const runId = (first && confirmedRunId(paths, first, given)) ?? given.runId;
  if (!isRunFileLost(paths) || entry?.type !== 'RUN_CREATED') return { ...given, runId };
  const { workspaceId } = entry.data;
  return isToken(workspaceId) ? { workspaceId, runId } : given;
}

/** The run id that the name of the first entry confirms; undefined when it confirms none. */
export function confirmedRunId(paths: RunPaths, first: EntryFile, { runId }: RunAddress): string | undefined {
  if (first.seq !== 1) return undefined;
  const entry = readableEntry(first);
  const key = entry?.type === 'RUN_CREATED' ? entry.data.idempotencyKey : undefined;
  return [runId, key, basename(paths.root)].find((id) => isToken(id) && firstUlid(id) === first.ulid);
}

/** Whether `run.json` names a run that the first entry does not confirm. */
export function isRunIdWrong(paths: RunPaths, [first]: readonly EntryFile[], run: RunAddress): boolean {
  const content = metadataOf(paths);
  const runId = first && confirmedRunId(paths, first, run);
  if (runId === undefined) return false;
  return content.layoutVersion === LAYOUT_VERSION && content.runId !== undefined && content.runId !== runId;
}

/**
 * Restores `run.json` from the journal, and from the readable fields of the old file that the journal does not have.
 * @param label suffix of the backup copy: `run.json.<label>`
 */
export function restoreRunFile(paths: RunPaths, run: RunAddress, entries: readonly Entry[], label: string): void {
  const before = readIfExists(paths.run);
  if (before !== undefined) replaceFile(`${paths.run}.${label}`, before, { durable: true });
  const [, completionProof] = /"completionProof": "([^"\\]+)"/.exec(before ?? '') ?? [];
  const known = { layoutVersion: LAYOUT_VERSION, ...defined({ completionProof }) };
  replaceFile(paths.run, prettyJson(known), { durable: true });
  const [first] = entries;
  writeRunView(paths, foldRun(run, entries), first?.type === 'RUN_CREATED' ? first.data.metadata : {});
}
