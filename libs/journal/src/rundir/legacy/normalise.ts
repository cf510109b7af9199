import type { EntryDraft } from '../../entries/entry.ts';
import type { Dated } from '../../verify/lawful.ts';

/** An entry, and the file that it came from. */
export interface Sourced extends Dated {
  readonly name?: string;
}

/**
 * Babysitter's journals hold what ours never does: a run that ended several times, or went on after its end, and sleeps that passed
 * without an entry. This makes of such a row one that is lawful, with the same meaning: the last end counts.
 */
export function normalise(row: readonly Sourced[]): Sourced[] {
  return withPassedSleeps(withOneEnd(withAnswersBeforeEnd(withKnownEffects(row))));
}

/** How far an effect is that nobody asked for was overlooked there. */
function withKnownEffects(row: readonly Sourced[]): Sourced[] {
  const known = new Set<string>();
  return row.map((dated) => {
    const { type, data } = dated.draft;
    if (type === 'EFFECT_REQUESTED') known.add(data.effectId);
    return type === 'EFFECT_PROGRESS' && !known.has(data.effectId) ? asNote(dated) : dated;
  });
}

const ENDS: ReadonlySet<string> = new Set(['RUN_COMPLETED', 'RUN_FAILED', 'RUN_HALTED']);

/** Of a run that had ended what was pending could still be answered. Ours has such answers before its end. */
function withAnswersBeforeEnd(row: readonly Sourced[]): Sourced[] {
  const lastAsked = row.findLastIndex(({ draft }) => draft.type === 'EFFECT_REQUESTED');
  const end = row.findIndex(({ draft }, i) => i > lastAsked && ENDS.has(draft.type));
  const ended = row[end];
  if (!ended) return [...row];
  const after = row.slice(end + 1);
  const answers = after.filter(({ draft }) => ANSWERS.has(draft.type));
  const others = after.filter(({ draft }) => !ANSWERS.has(draft.type));
  return [...row.slice(0, end), ...answers.map((one) => ({ ...one, recordedAt: ended.recordedAt })), ended, ...others];
}

const ANSWERS: ReadonlySet<string> = new Set(['EFFECT_RESOLVED', 'EFFECT_CANCELLED']);

/** An end after which something was asked for was none; of those that follow the last one counts, as it did there. The others remain as notes. */
function withOneEnd(row: readonly Sourced[]): Sourced[] {
  const lastEffect = row.findLastIndex(
    ({ draft }) => draft.type.startsWith('EFFECT_') && draft.type !== 'EFFECT_PROGRESS',
  );
  const end = row.findLastIndex(({ draft }, i) => i > lastEffect && ENDS.has(draft.type));
  const before = row
    .filter((_, i) => i < end || end < 0)
    .map((dated) => (ENDS.has(dated.draft.type) ? asNote(dated) : dated));
  const last = row[end];
  if (!last) return before;
  const after = row.slice(end + 1).map((dated) => ({ ...asNote(dated), recordedAt: last.recordedAt }));
  return [...before, ...after, last];
}

function asNote({ draft, ...dated }: Sourced): Sourced {
  const { type, data } = draft;
  return {
    ...dated,
    draft: { type: 'PROCESS_LOG', data: { label: `babysitter ${type}`, message: JSON.parse(JSON.stringify(data)) } },
  };
}

/** Once its time had passed a sleep counted as done there. The entry that says so is put where the first one after that time stands. */
function withPassedSleeps(row: readonly Sourced[]): Sourced[] {
  const asleep = new Map<string, number>();
  const out: Sourced[] = [];
  const woken = new Set<string>();
  for (const dated of row) {
    const at = Date.parse(dated.recordedAt);
    for (const [effectId, until] of asleep) {
      if (until > at || isAnswerTo(dated.draft, effectId)) continue;
      out.push({ ...dated, draft: wakes(effectId) });
      asleep.delete(effectId);
      woken.add(effectId);
    }
    const { type, data } = dated.draft;
    if (type === 'EFFECT_REQUESTED' && data.kind === 'sleep')
      asleep.set(data.effectId, Date.parse(String(data.request.expiresAt)));
    if ('effectId' in data && data.effectId !== undefined && isAnswerTo(dated.draft, data.effectId)) {
      asleep.delete(data.effectId);
      if (woken.has(data.effectId)) continue;
    }
    out.push(dated);
  }
  return out;
}

const isAnswerTo = ({ type, data }: EntryDraft, effectId: string): boolean =>
  (type === 'EFFECT_RESOLVED' || type === 'EFFECT_CANCELLED') && data.effectId === effectId;

const wakes = (effectId: string): EntryDraft => ({
  type: 'EFFECT_RESOLVED',
  data: { effectId, attempt: 1, status: 'ok', value: null },
});
