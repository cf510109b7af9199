import { isObject, isToken, type RunAddress } from '@reins/contracts';
import type { Entry } from '../entries/entry.ts';
import { foldRun } from '../state/apply-entry.ts';
import { firstUlid } from './chained-ulid.ts';
import { prettyJson, readIfExists, replaceFile } from './files.ts';
import type { EntryFile } from './journal-files.ts';
import { LAYOUT_VERSION, type RunPaths } from './layout.ts';
import { isLegacyJournal, legacyAddress } from './legacy/legacy-run-file.ts';
import { readableEntry } from './proof.ts';
import { writeRunView } from './views.ts';

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
 * Returns `given`, unless `run.json` is unusable: then reads the address from RUN_CREATED. A run id is trusted only if
 * its first ULID is in the file name of that entry.
 */
export function addressIn(paths: RunPaths, files: readonly EntryFile[], given: RunAddress): RunAddress {
  const [first] = files;
  if (!isRunFileLost(paths)) return given;
  if (isLegacyJournal(files)) return legacyAddress(files, given);
  const entry = first && readableEntry(first);
  if (entry?.type !== 'RUN_CREATED') return given;
  const { workspaceId, idempotencyKey } = entry.data;
  const runId = [given.runId, idempotencyKey].find((id) => firstUlid(id) === first?.ulid) ?? given.runId;
  return isToken(workspaceId) && isToken(runId) ? { workspaceId, runId } : given;
}

/**
 * Restores `run.json` from the journal, and from the readable fields of the old file that the journal does not have.
 * @param label suffix of the backup copy: `run.json.<label>`
 */
export function restoreRunFile(paths: RunPaths, run: RunAddress, entries: readonly Entry[], label: string): void {
  const before = readIfExists(paths.run);
  if (before !== undefined) replaceFile(`${paths.run}.${label}`, before, { durable: true });
  const [, completionProof] = /"completionProof": "([^"\\]+)"/.exec(before ?? '') ?? [];
  const known = { layoutVersion: LAYOUT_VERSION, ...(completionProof !== undefined && { completionProof }) };
  replaceFile(paths.run, prettyJson(known), { durable: true });
  const [first] = entries;
  writeRunView(paths, foldRun(run, entries), first?.type === 'RUN_CREATED' ? first.data.metadata : {});
}
