import { type DatedDraft, type EntryDraft, effectKind } from '@reins/journal';

/** An entry and its file. */
interface NamedDraft extends DatedDraft {
  readonly name?: string;
}

/**
 * Translates sequences that babysitter writes and Reins does not: several ends of a run, entries after the end, and
 * sleeps that end without an entry. The result is valid and means the same: the last end counts.
 */
export function normalise(drafts: readonly NamedDraft[]): NamedDraft[] {
  return withPassedSleeps(withOneEnd(withAnswersBeforeEnd(withKnownEffects(drafts))));
}

/** Babysitter ignores progress of effects that were never requested. */
function withKnownEffects(drafts: readonly NamedDraft[]): NamedDraft[] {
  const known = new Set<string>();
  return drafts.map((dated) => {
    const { type, data } = dated.draft;
    if (type === 'EFFECT_REQUESTED') known.add(data.effectId);
    return type === 'EFFECT_PROGRESS' && !known.has(data.effectId) ? asNote(dated) : dated;
  });
}

const ENDS: ReadonlySet<string> = new Set(['RUN_COMPLETED', 'RUN_FAILED', 'RUN_HALTED']);

/** Babysitter accepts answers to pending effects after the end of a run. Moves them before the end. */
function withAnswersBeforeEnd(drafts: readonly NamedDraft[]): NamedDraft[] {
  const lastAsked = drafts.findLastIndex(({ draft }) => draft.type === 'EFFECT_REQUESTED');
  const end = drafts.findIndex(({ draft }, i) => i > lastAsked && ENDS.has(draft.type));
  const ended = drafts[end];
  if (!ended) return [...drafts];
  const after = drafts.slice(end + 1);
  const answers = after.filter(({ draft }) => ANSWERS.has(draft.type));
  const others = after.filter(({ draft }) => !ANSWERS.has(draft.type));
  return [
    ...drafts.slice(0, end),
    ...answers.map((one) => ({ ...one, recordedAt: ended.recordedAt })),
    ended,
    ...others,
  ];
}

const ANSWERS: ReadonlySet<string> = new Set(['EFFECT_RESOLVED', 'EFFECT_CANCELLED']);

/**
 * An end followed by a request was not the end. Of the others the last one counts, as in babysitter. The rest become
 * notes.
 */
function withOneEnd(drafts: readonly NamedDraft[]): NamedDraft[] {
  const lastEffect = drafts.findLastIndex(
    ({ draft }) => draft.type.startsWith('EFFECT_') && draft.type !== 'EFFECT_PROGRESS',
  );
  const end = drafts.findLastIndex(({ draft }, i) => i > lastEffect && ENDS.has(draft.type));
  const before = drafts
    .filter((_, i) => i < end || end < 0)
    .map((dated) => (ENDS.has(dated.draft.type) ? asNote(dated) : dated));
  const last = drafts[end];
  if (!last) return before;
  const after = drafts.slice(end + 1).map((dated) => ({ ...asNote(dated), recordedAt: last.recordedAt }));
  return [...before, ...after, last];
}

function asNote({ draft, ...dated }: NamedDraft): NamedDraft {
  const { type, data } = draft;
  return {
    ...dated,
    draft: { type: 'PROCESS_LOG', data: { label: `babysitter ${type}`, message: JSON.parse(JSON.stringify(data)) } },
  };
}

/**
 * In babysitter a sleep ends by itself when its time has passed. Inserts an entry for that before the first later
 * entry.
 */
function withPassedSleeps(drafts: readonly NamedDraft[]): NamedDraft[] {
  const asleep = new Map<string, number>();
  const out: NamedDraft[] = [];
  const woken = new Set<string>();
  for (const dated of drafts) {
    const at = Date.parse(dated.recordedAt);
    for (const [effectId, until] of asleep) {
      if (until > at || isAnswerTo(dated.draft, effectId)) continue;
      out.push({ ...dated, draft: wakeUp(effectId) });
      asleep.delete(effectId);
      woken.add(effectId);
    }
    const { type, data } = dated.draft;
    if (type === 'EFFECT_REQUESTED' && effectKind(data.kind).resolvedBy === 'time')
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

const wakeUp = (effectId: string): EntryDraft => ({
  type: 'EFFECT_RESOLVED',
  data: { effectId, attempt: 1, status: 'ok', value: null },
});
