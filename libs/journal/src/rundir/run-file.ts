import { isObject, isToken, type RunAddress } from '@reins/contracts';
import type { Entry } from '../entries/entry.ts';
import { foldRun } from '../state/apply-entry.ts';
import { firstUlid } from './chained-ulid.ts';
import { prettyJson, readIfThere, replaceFile } from './files.ts';
import type { EntryFile } from './journal-files.ts';
import { LAYOUT_VERSION, type RunPaths } from './layout.ts';
import { isLegacyJournal, legacyAddress } from './legacy/legacy-run-file.ts';
import { entryIn } from './proof.ts';
import { writeRunView } from './views.ts';

/** `run.json` is gone, or torn: it does not say whose the directory is. */
export function isRunFileLost(paths: RunPaths): boolean {
  try {
    const value: unknown = JSON.parse(readIfThere(paths.run) ?? '');
    return !isObject(value) || typeof value.layoutVersion !== 'string';
  } catch {
    return true;
  }
}

/**
 * Whose a run directory is where its `run.json` does not say it: what its first entry says. In one of ours the run's id is the one that the name of
 * this entry follows from. Otherwise as given.
 */
export function addressIn(paths: RunPaths, files: readonly EntryFile[], given: RunAddress): RunAddress {
  const [first] = files;
  if (!isRunFileLost(paths)) return given;
  if (isLegacyJournal(files)) return legacyAddress(files, given);
  const entry = first && entryIn(first);
  if (entry?.type !== 'RUN_CREATED') return given;
  const { workspaceId, idempotencyKey } = entry.data;
  const runId = [given.runId, idempotencyKey].find((id) => firstUlid(id) === first?.ulid) ?? given.runId;
  return isToken(workspaceId) && isToken(runId) ? { workspaceId, runId } : given;
}

/**
 * Makes `run.json` again from the journal, with what can be read of the old one and the journal does not know.
 * @param label tells the copy that is kept of the old one: `run.json.<label>`
 */
export function restoreRunFile(paths: RunPaths, run: RunAddress, entries: readonly Entry[], label: string): void {
  const before = readIfThere(paths.run);
  if (before !== undefined) replaceFile(`${paths.run}.${label}`, before, { durable: true });
  const [, completionProof] = /"completionProof": "([^"\\]+)"/.exec(before ?? '') ?? [];
  const known = { layoutVersion: LAYOUT_VERSION, ...(completionProof !== undefined && { completionProof }) };
  replaceFile(paths.run, prettyJson(known), { durable: true });
  const [first] = entries;
  writeRunView(paths, foldRun(run, entries), first?.type === 'RUN_CREATED' ? first.data.metadata : {});
}
