import { type Entry, type EntryDraft, sealEntries } from '../entries/entry.ts';
import { applyEntry } from '../state/apply-entry.ts';
import type { RunState } from '../state/run-state.ts';
import { validateNextEntry } from '../state/validate-next-entry.ts';

/** A draft with the time at which it was recorded. */
export interface DatedDraft {
  readonly draft: EntryDraft;
  readonly recordedAt: string;
}

/**
 * Applies the draft as the next entry if that is valid, whatever its version and hash were.
 * @returns the reason when it is not valid
 */
export function applyDraftOrReason(state: RunState, one: DatedDraft): string | undefined {
  const next = tryApplyDraft(state, one);
  return typeof next === 'string' ? next : undefined;
}

/** Why the draft cannot be the next entry; undefined when it can. Does not apply it. */
export function draftProblem(state: RunState, { draft, recordedAt }: DatedDraft): string | undefined {
  const [entry] = sealEntries(state.head, [draft], recordedAt);
  return entry && validateNextEntry(state, entry);
}

/** Applies it like `applyDraftOrReason`, and returns the applied entry with its new version and chain. */
export function tryApplyDraft(state: RunState, { draft, recordedAt }: DatedDraft): Entry | string {
  const [entry] = sealEntries(state.head, [draft], recordedAt);
  if (!entry) return 'it is empty';
  const reason = validateNextEntry(state, entry);
  if (reason === undefined) applyEntry(state, entry);
  return reason ?? entry;
}

/**
 * The effects whose entries were dropped because their request is lost. Their process would request them again, and
 * diverge from the entries that follow.
 */
export function effectsWithoutRequest(readable: readonly DatedDraft[], kept: readonly DatedDraft[]): string[] {
  const requested = new Set(
    readable.flatMap(({ draft }) => (draft.type === 'EFFECT_REQUESTED' ? draft.data.effectId : [])),
  );
  const keptSet = new Set(kept);
  const lost = readable.flatMap((one) => {
    const { data } = one.draft;
    return !keptSet.has(one) && 'effectId' in data && !requested.has(data.effectId ?? '') ? [data.effectId ?? ''] : [];
  });
  return [...new Set(lost)];
}
