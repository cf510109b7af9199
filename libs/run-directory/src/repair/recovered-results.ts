import {
  type BlobRef,
  type EntryType,
  type ErrorInfo,
  isObject,
  type JsonObject,
  problemsOfEntry,
  type RunAddress,
} from '@reins/contracts';
import {
  applyEntry,
  type DatedDraft,
  type EntryDraft,
  effectKind,
  emptyRun,
  isEnd,
  pendingEffects,
  type RunState,
} from '@reins/journal';
import type { LegacyFiles } from '../legacy/legacy-files.ts';
import { sealDatedDrafts } from '../legacy/legacy-run.ts';
import { answerOf, errorOf, translateEvent } from '../legacy/translate.ts';
import { acceptanceNote, type UnprovenEntry } from './unproven.ts';

/** Reports a torn or lost entry that was recovered from other files. */
export interface RecoveryReport {
  /** Absent for an entry that is not about an effect. */
  readonly effectId?: string;
  readonly type: EntryType;
  readonly from: string;
  /**
   * Whether the entry matches the hash that the journal has for its version, so it is the original.
   */
  readonly isProven: boolean;
}

/**
 * Recovers the first entry of a babysitter journal from `run.json` and `inputs.json`; undefined when they are missing
 * too, or do not have the fields of an entry.
 */
export function firstEntryFromMetadata(
  metadata: JsonObject,
  legacyFiles: LegacyFiles,
  run: RunAddress,
): DatedDraft | undefined {
  const { entrypoint, createdAt, sessionId, agentId, revision } = metadata;
  if (!isObject(entrypoint) || typeof createdAt !== 'string' || Number.isNaN(Date.parse(createdAt))) return undefined;
  const dated = translateEvent({ type: 'RUN_CREATED', recordedAt: createdAt, data: metadata }, legacyFiles, run);
  const owner = Object.entries({ sessionId, agentId, revision }).filter(([, value]) => typeof value === 'string');
  const data = { ...dated.draft.data, ...Object.fromEntries(owner) };
  const draft = { type: 'RUN_CREATED', data } as EntryDraft;
  return problemsOfEntry(draft.type, draft.data).length > 0 ? undefined : { ...dated, draft };
}

/** How results in files are judged. */
interface ResultRules {
  readonly now: Date;
  /** When an answer without a time of its own was recorded. */
  readonly answeredAt: (effectId: string) => string | undefined;
  /** The place of the lost entry that the answer may be; undefined when the journal lost no such entry. */
  readonly placeOf: (effectId: string) => number | undefined;
  /** Whether the caller accepts an answer that nothing proves. */
  readonly isAccepted: (answer: UnprovenEntry) => boolean;
}

/** The drafts with the results that files have. */
interface RecoveredResults {
  readonly drafts: DatedDraft[];
  readonly rescued: RecoveryReport[];
  /** Answers of people, which only the caller can accept. Those that are not accepted are left out. */
  readonly unproven: UnprovenEntry[];
}

/**
 * Adds lost results that are intact in `tasks/<effectId>/result.json`. Each is inserted at its own time, or else where
 * a lost entry shows its place, because later requests depend on it. A result without any time goes to the end.
 */
export function withResultsFromFiles(
  valid: readonly DatedDraft[],
  legacyFiles: LegacyFiles,
  run: RunAddress,
  { now, answeredAt, placeOf, isAccepted }: ResultRules,
): RecoveredResults {
  const drafts: DatedDraft[] = valid.map(({ draft, recordedAt }) => ({ draft, recordedAt }));
  const state = emptyRun(run);
  for (const entry of sealDatedDrafts(drafts)) applyEntry(state, entry);
  const rescued: RecoveryReport[] = [];
  const unproven: UnprovenEntry[] = [];
  for (const { effectId, attempt, kind, requestedAt } of pendingEffects(state)) {
    const from = `tasks/${effectId}/result.json`;
    const result = legacyFiles.object(from);
    const draft = resolutionOf(result, legacyFiles, { effectId, attempt, kind });
    if (!draft || isFromEarlierRequest(state, { effectId, requestedAt }, timeOf(result))) continue;
    const entry = placeOf(effectId);
    if (entry === undefined) continue;
    const answer = { entry, name: from, type: draft.type, effectId, from };
    // A file with a decision may be from anybody.
    const isDecision = effectKind(kind).resolvedBy === 'decision';
    if (isDecision) unproven.push(answer);
    if (isDecision && !isAccepted(answer)) continue;
    const notes = isDecision ? [acceptanceNote(answer, now)] : [];
    insert(drafts, [...notes, draft], timeOf(result) ?? answeredAt(effectId), now);
    rescued.push({ effectId, type: draft.type, from, isProven: false });
  }
  return { drafts, rescued, unproven };
}

/** An effect that was invalidated and requested again may still have its earlier result file. */
function isFromEarlierRequest(
  { earlierAttempts }: RunState,
  { effectId, requestedAt }: { effectId: string; requestedAt: string },
  finishedAt: string | undefined,
): boolean {
  return earlierAttempts.has(effectId) && (finishedAt === undefined || finishedAt <= requestedAt);
}

/** @param added the result, last, and notes about it */
function insert(drafts: DatedDraft[], added: readonly EntryDraft[], finishedAt: string | undefined, now: Date): void {
  const result = added.at(-1) as EntryDraft;
  const requested = drafts.findIndex((one) => one.draft.type === 'EFFECT_REQUESTED' && isAbout(one.draft, result));
  const end = drafts.findIndex((one) => isEnd(one.draft.type));
  const later =
    finishedAt === undefined ? -1 : drafts.findIndex((one, i) => i > requested && one.recordedAt >= finishedAt);
  const at = later >= 0 ? later : end;
  const recordedAt = at < 0 ? now.toISOString() : (finishedAt ?? drafts[at]?.recordedAt ?? now.toISOString());
  drafts.splice(at < 0 ? drafts.length : at, 0, ...added.map((draft) => ({ draft, recordedAt })));
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

function resolutionOf(
  result: JsonObject | undefined,
  legacyFiles: LegacyFiles,
  effect: Pending,
): EntryDraft | undefined {
  const { effectId, attempt } = effect;
  if (!result || result.effectId !== effectId) return undefined;
  if (result.status === 'cancelled') return { type: 'EFFECT_CANCELLED', data: { effectId, attempt, confirmed: true } };
  if (result.status !== 'ok' && result.status !== 'error') return undefined;
  if (result.attempt === undefined && isValueLost(result, legacyFiles)) return undefined;
  const data = result.attempt === undefined ? legacyResult(result, legacyFiles) : ownResult(result);
  return { type: 'EFFECT_RESOLVED', data: { effectId, attempt, status: result.status, ...data } };
}

/** Babysitter stores a large value in a file of its own. A result without it is unusable. */
function isValueLost(
  { status, result: payload, value = payload, resultRef }: JsonObject,
  legacyFiles: LegacyFiles,
): boolean {
  return status === 'ok' && value == null && typeof resultRef === 'string' && legacyFiles.json(resultRef) === undefined;
}

function legacyResult(result: JsonObject, legacyFiles: LegacyFiles) {
  if (result.status === 'ok') return { value: answerOf(result, legacyFiles) };
  return { error: errorOf(result.error), value: { error: result.error ?? null } };
}

/** The data of the entry, as `views.ts` writes it. */
function ownResult({ status, value, valueRef, error }: JsonObject) {
  return {
    ...(value === undefined && valueRef !== undefined ? {} : { value: value ?? null }),
    ...(valueRef !== undefined && { valueRef: valueRef as unknown as BlobRef }),
    ...(status === 'error' && { error: (error ?? errorOf(undefined)) as unknown as ErrorInfo }),
  };
}
