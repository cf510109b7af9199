import { type EffectState, effectKind, isEnd, pendingEffects, type RunState } from '@reins/journal';
import { type EntryFile, stringMember } from '../store/journal-files.ts';
import { numberOf } from '../store/layout.ts';
import type { MissingData } from './entry-recovery.ts';
import { countOf, gapsIn, type NumberRange, rangesInWords } from './gaps.ts';
import type { KeptEntry } from './kept-entry.ts';

/**
 * Reports effects that are open after a repair and whose answer may be a lost entry. They are requested again, and a
 * process that had continued with the answer cannot reach the later entries.
 * @param state after the repair
 * @param found how many answers were found in other files
 */
export function lostAnswers(
  state: RunState,
  { files, kept }: { readonly files: readonly EntryFile[]; readonly kept: readonly KeptEntry[] },
  found: number,
): MissingData[] {
  const places = missingEntries(files, kept);
  if (places.length === 0) return [];
  const unnamed = places.filter(({ text }) => stringMember(text, 'effectId') === undefined);
  const open = pendingEffects(state).flatMap((effect) => {
    const request = kept.find(
      ({ draft }) => draft.type === 'EFFECT_REQUESTED' && draft.data.effectId === effect.effectId,
    );
    const later = places.filter(({ first }) => request !== undefined && first > request.file.seq);
    const named = later.find(({ text }) => stringMember(text, 'effectId') === effect.effectId);
    const place = named ?? (countOf(unnamed) > found ? later.find((one) => unnamed.includes(one)) : undefined);
    if (!place) return [];
    const isContinued = kept.some(({ draft, file }) => file.seq > place.last && followsFrom(draft.type));
    return named || isContinued ? [{ effect, place, isContinued, isNamed: named !== undefined }] : [];
  });
  return open.map(({ effect, place, isContinued, isNamed }) => {
    const isCertain = isNamed || isLocalStep(effect) || open.length === 1;
    return missing(effect, place, { isContinued, isCertain });
  });
}

/**
 * Reports lost entries of unknown content after the first entry, if the process continued after them.
 * @param found how many lost entries were recovered as answers
 */
export function lostUnknown(
  { files, kept }: { readonly files: readonly EntryFile[]; readonly kept: readonly KeptEntry[] },
  found: number,
): MissingData[] {
  const last = kept.findLast(({ draft }) => followsFrom(draft.type))?.file.seq ?? 0;
  const places = missingEntries(files, kept).filter((place) => place.first > 1 && place.last < last);
  const count = countOf(places);
  if (count <= found) return [];
  const why = `${count === 1 ? 'entry' : 'entries'} ${rangesInWords(places)} cannot be read or recovered: the process may not reach the entries that follow (replay_nondeterminism)`;
  return [{ why }];
}

/**
 * Returns a function that says whether the answer of an effect may be a lost entry, and where. Each place is used once.
 * A result file without such a place is not an answer that the journal ever had.
 * @param end the last entry that the stored state shows
 */
export function answerPlaces(
  { files, kept }: { readonly files: readonly EntryFile[]; readonly kept: readonly KeptEntry[] },
  end: number,
): (effectId: string) => number | undefined {
  const last = files.at(-1)?.seq ?? 0;
  const after = Array.from({ length: Math.min(Math.max(0, end - last), MAX_AFTER) }, (_, i) => ({
    first: last + i + 1,
    last: last + i + 1,
    text: '',
  }));
  const free = [...missingEntries(files, kept), ...after];
  return (effectId) => {
    const request = kept.find(({ draft }) => draft.type === 'EFFECT_REQUESTED' && draft.data.effectId === effectId);
    const at = [effectId, undefined]
      .map((name) =>
        free.findIndex(
          ({ first, text }) => stringMember(text, 'effectId') === name && first > (request?.file.seq ?? 0),
        ),
      )
      .find((index) => index >= 0);
    return at === undefined ? undefined : free.splice(at, 1)[0]?.first;
  };
}

/** A damaged state may claim any end. */
const MAX_AFTER = 10_000;

/** When a recovered answer without a time was recorded, by the version of its missing entry. */
export function answeredAt(
  effectId: string,
  { files, kept }: { readonly files: readonly EntryFile[]; readonly kept: readonly KeptEntry[] },
): string | undefined {
  const places = missingEntries(files, kept);
  const request = kept.find(({ draft }) => draft.type === 'EFFECT_REQUESTED' && draft.data.effectId === effectId);
  const named = places.find(({ text }) => stringMember(text, 'effectId') === effectId);
  const [only, ...others] = places.filter(
    ({ first, text }) => stringMember(text, 'effectId') === undefined && first > (request?.file.seq ?? 0),
  );
  const place = named ?? (others.length === 0 ? only : undefined);
  return place && kept.find(({ file }) => file.seq > place.last)?.recordedAt;
}

interface MissingEntry extends NumberRange {
  readonly text: string;
}

/** The places of entries that are not kept and may have been answers: unreadable files and missing numbers. */
function missingEntries(files: readonly EntryFile[], kept: readonly KeptEntry[]): MissingEntry[] {
  const keptVersions = new Set(kept.map(({ file }) => file.seq));
  const texts = new Map(files.map(({ seq, text }) => [seq, text]));
  const torn = [...texts].map(([seq, text]) => ({ first: seq, last: seq, text }));
  const gaps = gapsIn(files, files.at(-1)?.seq ?? 0).map((range) => ({ ...range, text: '' }));
  return [...torn, ...gaps]
    .filter(
      ({ first, text }) =>
        !keptVersions.has(first) && [undefined, 'EFFECT_RESOLVED'].includes(stringMember(text, 'type')),
    )
    .toSorted((a, b) => a.first - b.first);
}

/** Whether the process recorded this entry because of earlier answers. */
const followsFrom = (type: KeptEntry['draft']['type']): boolean =>
  type === 'EFFECT_REQUESTED' || type === 'PROCESS_ASSIGNED' || isEnd(type);

const isLocalStep = ({ kind }: Pick<EffectState, 'kind'>): boolean => effectKind(kind).resolvedBy === 'owner';

interface Certainty {
  readonly isContinued: boolean;
  /** A step has ended when its process continues; other effects may still be waiting. */
  readonly isCertain: boolean;
}

function missing(effect: EffectState, { first: seq }: NumberRange, { isContinued, isCertain }: Certainty): MissingData {
  const { effectId, label, request } = effect;
  const isStep = isLocalStep(effect);
  const what = isStep
    ? `the result of step ${String(request.name ?? label ?? effectId)}`
    : `the answer of effect ${effectId}`;
  const then = isStep ? 'it runs again' : 'it is pending again';
  if (!isContinued) return { why: `${what}, in entry ${seq}, is lost: ${then}` };
  const next = `${then}, and its process may not reach the entries that follow (replay_nondeterminism); if so, continue from there with task:invalidate <run> ${effectId}`;
  if (!isCertain) return { why: `${what} may have been in entry ${seq}, which is lost: ${next}` };
  return { why: `${what}, in entry ${seq}, is lost: ${next}`, path: `journal/${numberOf(seq)}` };
}
