import {
  type BlobRef,
  type EntryType,
  type ErrorInfo,
  isObject,
  type JsonObject,
  type RunAddress,
} from '@reins/contracts';
import { isEnd } from '../entries/ends.ts';
import type { EntryDraft } from '../entries/entry.ts';
import { applyEntry } from '../state/apply-entry.ts';
import { emptyRun, pendingEffects, type RunState } from '../state/run-state.ts';
import type { Dated } from '../verify/lawful.ts';
import type { LegacyFiles } from './legacy/legacy-files.ts';
import { sealDated } from './legacy/legacy-run.ts';
import { answerOf, errorOf, translateEvent } from './legacy/translate.ts';

/** An entry that was torn or lost, and that was found beside the journal. */
export interface Rescued {
  /** Absent of an entry that is about no effect. */
  readonly effectId?: string;
  readonly type: EntryType;
  readonly from: string;
  /** It has the hash that the journal has for its place: it is what was written. Otherwise nothing is left that could prove it. */
  readonly isProven: boolean;
}

/** What a babysitter's journal whose first entry is gone began with, as `run.json` and `inputs.json` have it; undefined when they are gone as well. */
export function beginningOf(metadata: JsonObject, beside: LegacyFiles, run: RunAddress): Dated | undefined {
  const { entrypoint, createdAt, sessionId, agentId, revision } = metadata;
  if (!isObject(entrypoint) || typeof createdAt !== 'string' || Number.isNaN(Date.parse(createdAt))) return undefined;
  const dated = translateEvent({ type: 'RUN_CREATED', recordedAt: createdAt, data: metadata }, beside, run);
  const said = Object.entries({ sessionId, agentId, revision }).filter(([, value]) => typeof value === 'string');
  const data = { ...dated.draft.data, ...Object.fromEntries(said) };
  return { ...dated, draft: { type: 'RUN_CREATED', data } as EntryDraft };
}

/**
 * Enters the results again that lie intact in `tasks/<effectId>/result.json` and whose entries are gone: each at the time that it gives
 * for itself, or that its place shows, because what the process asked for next followed from it; one without a time at the end.
 */
export function withResults(
  lawful: readonly Dated[],
  beside: LegacyFiles,
  run: RunAddress,
  { now, answeredAt }: { readonly now: Date; readonly answeredAt: (effectId: string) => string | undefined },
): { row: Dated[]; rescued: Rescued[] } {
  const row: Dated[] = lawful.map(({ draft, recordedAt }) => ({ draft, recordedAt }));
  const state = emptyRun(run);
  for (const entry of sealDated(row)) applyEntry(state, entry);
  const rescued: Rescued[] = [];
  for (const { effectId, attempt, kind, requestedAt } of pendingEffects(state)) {
    const from = `tasks/${effectId}/result.json`;
    const result = beside.object(from);
    const draft = resolutionOf(result, beside, { effectId, attempt, kind });
    if (!draft || isOfBefore(state, { effectId, requestedAt }, timeOf(result))) continue;
    insert(row, draft, timeOf(result) ?? answeredAt(effectId), now);
    rescued.push({ effectId, type: draft.type, from, isProven: false });
  }
  return { row, rescued };
}

/** An effect that was invalidated and asked for again may have the result of before beside it: that is none of this request. */
function isOfBefore(
  { earlierAttempts }: RunState,
  { effectId, requestedAt }: { effectId: string; requestedAt: string },
  finishedAt: string | undefined,
): boolean {
  return earlierAttempts.has(effectId) && (finishedAt === undefined || finishedAt <= requestedAt);
}

function insert(row: Dated[], draft: EntryDraft, finishedAt: string | undefined, now: Date): void {
  const asked = row.findIndex((one) => one.draft.type === 'EFFECT_REQUESTED' && isAbout(one.draft, draft));
  const end = row.findIndex((one) => isEnd(one.draft.type));
  const later = finishedAt === undefined ? -1 : row.findIndex((one, i) => i > asked && one.recordedAt >= finishedAt);
  const at = later >= 0 ? later : end;
  if (at < 0) row.push({ draft, recordedAt: now.toISOString() });
  else row.splice(at, 0, { draft, recordedAt: finishedAt ?? row[at]?.recordedAt ?? now.toISOString() });
}

const isAbout = (one: EntryDraft, other: EntryDraft): boolean =>
  'effectId' in one.data && 'effectId' in other.data && one.data.effectId === other.data.effectId;

function timeOf(result: JsonObject | undefined): string | undefined {
  const time = typeof result?.finishedAt === 'string' ? Date.parse(result.finishedAt) : Number.NaN;
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

interface Pending {
  readonly effectId: string;
  readonly attempt: number;
  readonly kind: string;
}

function resolutionOf(result: JsonObject | undefined, beside: LegacyFiles, effect: Pending): EntryDraft | undefined {
  const { effectId, attempt } = effect;
  if (!result || result.effectId !== effectId) return undefined;
  if (result.status === 'cancelled') return { type: 'EFFECT_CANCELLED', data: { effectId, attempt, confirmed: true } };
  if (result.status !== 'ok' && result.status !== 'error') return undefined;
  if (result.attempt === undefined && isValueLost(result, beside)) return undefined;
  const data = result.attempt === undefined ? legacyResult(result, beside) : ownResult(result);
  return { type: 'EFFECT_RESOLVED', data: { effectId, attempt, status: result.status, ...data } };
}

/** A large value lies in a file of its own there: a result without it is none. */
function isValueLost(
  { status, result: payload, value = payload, resultRef }: JsonObject,
  beside: LegacyFiles,
): boolean {
  return status === 'ok' && value == null && typeof resultRef === 'string' && beside.json(resultRef) === undefined;
}

function legacyResult(result: JsonObject, beside: LegacyFiles) {
  if (result.status === 'ok') return { value: answerOf(result, beside) };
  return { error: errorOf(result.error), value: { error: result.error ?? null } };
}

/** As `views.ts` writes it: the data of the entry. */
function ownResult({ status, value, valueRef, error }: JsonObject) {
  return {
    ...(value === undefined && valueRef !== undefined ? {} : { value: value ?? null }),
    ...(valueRef !== undefined && { valueRef: valueRef as unknown as BlobRef }),
    ...(status === 'error' && { error: (error ?? errorOf(undefined)) as unknown as ErrorInfo }),
  };
}
