import { isObject, type JsonObject, type JsonValue, ReinsError, type RunAddress } from '@reins/contracts';
import type { Entry, EntryDraft } from '../entries/entry.ts';
import { withSmallValue } from '../large/large-values.ts';
import type { Dated } from '../verify/lawful.ts';
import { installJournal, sealDated } from './legacy/legacy-run.ts';
import { rebuildState } from './rebuild.ts';
import { RunBlobs } from './run-blobs.ts';
import type { RunDirectoryStore } from './run-directory-store.ts';

/** Another value at one place of a recorded result. */
export interface ResultPatch {
  readonly effectId: string;
  /** The members that lead there. */
  readonly path: readonly string[];
  readonly value: JsonValue;
}

export interface Recovery {
  /** The number of the entry that is taken out. */
  readonly removed: number;
  /** Where the journal is kept that was there before; absent in a dry run. */
  readonly backup?: string;
}

/**
 * Takes the last PROCESS_RUNTIME_ERROR out of a journal and changes recorded results, so that the process can go on. The journal as it was
 * is kept.
 * @throws ReinsError `process_not_broken` when there is no such error · `effect_not_pending` when there is no such result; nothing is changed then
 */
export async function recoverProcessError(
  store: RunDirectoryStore,
  run: RunAddress,
  options: { readonly patches?: readonly ResultPatch[]; readonly dryRun?: boolean; readonly now?: () => Date } = {},
): Promise<Recovery> {
  const { patches = [], dryRun = false, now = () => new Date() } = options;
  return store.exclusively(run, dryRun ? undefined : 'recover-process-error', async () => {
    const { entries } = await store.load(run);
    const at = entries.findLastIndex(({ type }) => type === 'PROCESS_RUNTIME_ERROR');
    if (at < 0) throw notBroken(run);
    const paths = store.pathsOf(run);
    const blobs = new RunBlobs(paths);
    const others: readonly Dated[] = entries.filter((_, i) => i !== at).map(datedOf);
    const row = patches.reduce((before, patch) => patched(before, patch, blobs), others);
    if (dryRun) return { removed: at + 1 };
    const small = await Promise.all(row.map((dated) => withSmallResult(dated, blobs)));
    const backup = await installJournal(paths, run, sealDated(small), `process-error.bak.${now().getTime()}`);
    store.forget(run);
    await rebuildState(store, run, { views: true });
    return { removed: at + 1, backup };
  });
}

const notBroken = ({ runId }: RunAddress): ReinsError =>
  new ReinsError({
    code: 'process_not_broken',
    message: 'the process did not fail by itself: the journal has no PROCESS_RUNTIME_ERROR',
    path: runId,
    hint: `to go on from before an entry: \`reins fork ${runId} --at <n>\``,
  });

const datedOf = ({ type, data, recordedAt }: Entry): Dated => ({ draft: { type, data } as EntryDraft, recordedAt });

async function withSmallResult({ draft, recordedAt }: Dated, blobs: RunBlobs): Promise<Dated> {
  return { draft: draft.type === 'EFFECT_RESOLVED' ? await withSmallValue(draft, blobs) : draft, recordedAt };
}

function patched(row: readonly Dated[], { effectId, path, value }: ResultPatch, blobs: RunBlobs): Dated[] {
  const at = row.findIndex(({ draft }) => draft.type === 'EFFECT_RESOLVED' && draft.data.effectId === effectId);
  const found = row[at]?.draft;
  if (found?.type !== 'EFFECT_RESOLVED') throw withoutResult(effectId);
  const { valueRef, ...resolved } = found.data;
  const answer = valueRef ? blobs.read(valueRef) : resolved.value;
  if (answer === undefined) throw withoutResult(effectId);
  const inner = isObject(answer) && 'value' in answer ? ['value', ...path] : path;
  const data = { ...resolved, value: replaced(answer, inner, value, effectId) };
  return row.map((dated, i) => (i === at ? { ...dated, draft: { type: 'EFFECT_RESOLVED', data } } : dated));
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
  new ReinsError({ code: 'effect_not_pending', message, ...(path !== undefined && { path }) });
