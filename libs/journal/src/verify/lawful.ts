import { type Entry, type EntryDraft, sealEntries } from '../entries/entry.ts';
import { applyEntry } from '../state/apply-entry.ts';
import { wrongAsNext } from '../state/legal-entry.ts';
import type { RunState } from '../state/run-state.ts';

/** An entry before it is sealed, with the time at which it was recorded. */
export interface Dated {
  readonly draft: EntryDraft;
  readonly recordedAt: string;
}

/** Applies the entry to the state where it may stand as its next one, whatever its number and its hash were; otherwise says why not. */
export function unlawful(state: RunState, one: Dated): string | undefined {
  const next = asNext(state, one);
  return typeof next === 'string' ? next : undefined;
}

/** As `unlawful`, with the entry as it was applied: numbered and chained anew. */
export function asNext(state: RunState, { draft, recordedAt }: Dated): Entry | string {
  const [entry] = sealEntries(state.head, [draft], recordedAt);
  if (!entry) return 'it is empty';
  const wrong = wrongAsNext(state, entry);
  if (wrong === undefined) applyEntry(state, entry);
  return wrong ?? entry;
}

/** Effects of which entries had to go because nothing that can be read asks for them: their process would ask again, and find others behind that. */
export function withoutRequest(readable: readonly Dated[], kept: readonly Dated[]): string[] {
  const requested = new Set(
    readable.flatMap(({ draft }) => (draft.type === 'EFFECT_REQUESTED' ? draft.data.effectId : [])),
  );
  const stays = new Set(kept);
  const lost = readable.flatMap((one) => {
    const { data } = one.draft;
    return !stays.has(one) && 'effectId' in data && !requested.has(data.effectId ?? '') ? [data.effectId ?? ''] : [];
  });
  return [...new Set(lost)];
}
