import { defined, isObject, type JsonObject, type JsonValue, ReinsError, type RunAddress } from '@reins/contracts';
import { type DatedDraft, type Entry, type EntryDraft, offloadLargeValue } from '@reins/journal';
import { installJournal, sealDatedDrafts } from '../legacy/legacy-run.ts';
import type { RunDirectoryStore } from '../store/run-directory-store.ts';
import { RunBlobs } from '../values/run-blobs.ts';
import { rebuildState } from '../views/rebuild.ts';

/** Another value at one place of a recorded result. */
export interface ResultPatch {
  readonly effectId: string;
  /** The member names that lead to the place. */
  readonly path: readonly string[];
  readonly value: JsonValue;
}

export interface RemovedProcessError {
  /** The number of the removed entry. */
  readonly removed: number;
  /** Path of the previous journal; absent in a dry run. */
  readonly backup?: string;
}

/**
 * Removes the last PROCESS_RUNTIME_ERROR from a journal and patches recorded results, so that the process can continue.
 * Keeps the previous journal.
 * @throws ReinsError `process_not_broken` when there is no such error · `effect_not_pending` when there is no such
 *   result; nothing is changed then
 */
export async function removeProcessError(
  store: RunDirectoryStore,
  run: RunAddress,
  options: { readonly patches?: readonly ResultPatch[]; readonly dryRun?: boolean; readonly now?: () => Date } = {},
): Promise<RemovedProcessError> {
  const { patches = [], dryRun = false, now = () => new Date() } = options;
  return store.exclusively(run, dryRun ? undefined : 'recover-process-error', async () => {
    const { entries } = await store.load(run);
    const at = entries.findLastIndex(({ type }) => type === 'PROCESS_RUNTIME_ERROR');
    if (at < 0) throw notBroken(run);
    const paths = store.pathsOf(run);
    const blobs = new RunBlobs(paths);
    const others: readonly DatedDraft[] = entries.filter((_, i) => i !== at).map(datedOf);
    const drafts = patches.reduce((before, patch) => patched(before, patch, blobs), others);
    if (dryRun) return { removed: at + 1 };
    const small = await Promise.all(drafts.map((dated) => withSmallResult(dated, blobs)));
    const backup = await installJournal(paths, run, sealDatedDrafts(small), `process-error.bak.${now().getTime()}`);
    store.forget(run);
    await rebuildState(store, run, { views: true });
    return { removed: at + 1, backup };
  });
}

const notBroken = ({ runId }: RunAddress): ReinsError =>
  new ReinsError({
    code: 'process_not_broken',
    message: 'the process has no error to recover from: the journal has no PROCESS_RUNTIME_ERROR',
    path: runId,
    hint: `Continue from an earlier entry with \`reins fork ${runId} --at <n>\`.`,
  });

const datedOf = ({ type, data, recordedAt }: Entry): DatedDraft => ({
  draft: { type, data } as EntryDraft,
  recordedAt,
});

async function withSmallResult({ draft, recordedAt }: DatedDraft, blobs: RunBlobs): Promise<DatedDraft> {
  return { draft: draft.type === 'EFFECT_RESOLVED' ? await offloadLargeValue(draft, blobs) : draft, recordedAt };
}

function patched(drafts: readonly DatedDraft[], { effectId, path, value }: ResultPatch, blobs: RunBlobs): DatedDraft[] {
  const at = drafts.findIndex(({ draft }) => draft.type === 'EFFECT_RESOLVED' && draft.data.effectId === effectId);
  const found = drafts[at]?.draft;
  if (found?.type !== 'EFFECT_RESOLVED') throw withoutResult(effectId);
  const { valueRef, ...resolved } = found.data;
  const answer = valueRef ? blobs.read(valueRef) : resolved.value;
  if (answer === undefined) throw withoutResult(effectId);
  const inner = isObject(answer) && 'value' in answer ? ['value', ...path] : path;
  const data = { ...resolved, value: replaced(answer, inner, value, effectId) };
  return drafts.map((dated, i) => (i === at ? { ...dated, draft: { type: 'EFFECT_RESOLVED', data } } : dated));
}

function replaced(whole: JsonValue, [name, ...rest]: readonly string[], value: JsonValue, effectId: string): JsonValue {
  if (name === undefined) return value;
  if (!isObject(whole)) throw refused(`the result of ${effectId} has no member ${name}`, effectId);
  const inner = (whole as JsonObject)[name];
  if (rest.length > 0 && inner === undefined)
    throw refused(`the result of ${effectId} has no member ${name}`, effectId);
  return { ...(whole as JsonObject), [name]: replaced(inner ?? null, rest, value, effectId) };
}

const withoutResult = (effectId: string): ReinsError =>
  refused(`effect ${effectId} has no result in the journal`, effectId);

const refused = (message: string, path?: string): ReinsError =>
  new ReinsError({ code: 'effect_not_pending', message, ...defined({ path }) });
