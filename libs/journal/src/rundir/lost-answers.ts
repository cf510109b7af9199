import { isEnd } from '../entries/ends.ts';
import { type EffectState, pendingEffects, type RunState } from '../state/run-state.ts';
import { countOf, gapsIn, type NumberRange, rangesInWords } from './gaps.ts';
import { type EntryFile, memberOf } from './journal-files.ts';
import { numberOf } from './layout.ts';
import type { Missing } from './mending.ts';
import type { Kept } from './sift.ts';

/**
 * What became of effects that are open after a repair, where an entry is lost behind their request: they are asked for again, and a process that had
 * gone on with their answer cannot come to what follows.
 * @param state after the repair
 * @param found how many answers lay beside the journal
 */
export function lostAnswers(
  state: RunState,
  { files, kept }: { readonly files: readonly EntryFile[]; readonly kept: readonly Kept[] },
  found: number,
): Missing[] {
  const places = lostPlaces(files, kept);
  if (places.length === 0) return [];
  const unnamed = places.filter(({ text }) => memberOf(text, 'effectId') === undefined);
  const open = pendingEffects(state).flatMap((effect) => {
    const asked = kept.find(
      ({ draft }) => draft.type === 'EFFECT_REQUESTED' && draft.data.effectId === effect.effectId,
    );
    const behind = places.filter(({ first }) => asked !== undefined && first > asked.file.seq);
    const named = behind.find(({ text }) => memberOf(text, 'effectId') === effect.effectId);
    const place = named ?? (countOf(unnamed) > found ? behind.find((one) => unnamed.includes(one)) : undefined);
    if (!place) return [];
    const goesOn = kept.some(({ draft, file }) => file.seq > place.last && followsFrom(draft.type));
    return named || goesOn ? [{ effect, place, goesOn, isNamed: named !== undefined }] : [];
  });
  return open.map(({ effect, place, goesOn, isNamed }) => {
    const isCertain = isNamed || effect.kind === 'step' || open.length === 1;
    return missing(effect, place, { goesOn, isCertain });
  });
}

/**
 * Lost entries behind the first of which nothing says what they were, and behind which the process went on.
 * @param found how many answers that lay beside the journal stood in one of them
 */
export function lostUnknown(
  { files, kept }: { readonly files: readonly EntryFile[]; readonly kept: readonly Kept[] },
  found: number,
): Missing[] {
  const last = kept.findLast(({ draft }) => followsFrom(draft.type))?.file.seq ?? 0;
  const places = lostPlaces(files, kept).filter((place) => place.first > 1 && place.last < last);
  const count = countOf(places);
  if (count <= found) return [];
  const why = `nothing says what stood in ${count === 1 ? 'entry' : 'entries'} ${rangesInWords(places)}, which cannot be read: the process may not come to what follows (replay_nondeterminism)`;
  return [{ why }];
}

/** When an answer that lies beside the journal, and does not say when it was given, was recorded: as the lost entry that it stood in shows. */
export function answeredAt(
  effectId: string,
  { files, kept }: { readonly files: readonly EntryFile[]; readonly kept: readonly Kept[] },
): string | undefined {
  const places = lostPlaces(files, kept);
  const asked = kept.find(({ draft }) => draft.type === 'EFFECT_REQUESTED' && draft.data.effectId === effectId);
  const named = places.find(({ text }) => memberOf(text, 'effectId') === effectId);
  const [only, ...others] = places.filter(
    ({ first, text }) => memberOf(text, 'effectId') === undefined && first > (asked?.file.seq ?? 0),
  );
  const place = named ?? (others.length === 0 ? only : undefined);
  return place && kept.find(({ file }) => file.seq > place.last)?.recordedAt;
}

interface LostPlace extends NumberRange {
  readonly text: string;
}

/** Where nothing is kept: files of which nothing can be read that could stay, and numbers that no file has. */
function lostPlaces(files: readonly EntryFile[], kept: readonly Kept[]): LostPlace[] {
  const stays = new Set(kept.map(({ file }) => file.seq));
  const texts = new Map(files.map(({ seq, text }) => [seq, text]));
  const torn = [...texts].map(([seq, text]) => ({ first: seq, last: seq, text }));
  const gone = gapsIn(files, files.at(-1)?.seq ?? 0).map((range) => ({ ...range, text: '' }));
  return [...torn, ...gone]
    .filter(({ first, text }) => !stays.has(first) && [undefined, 'EFFECT_RESOLVED'].includes(memberOf(text, 'type')))
    .toSorted((a, b) => a.first - b.first);
}

/** The process came to it by what it had been answered. */
const followsFrom = (type: Kept['draft']['type']): boolean =>
  type === 'EFFECT_REQUESTED' || type === 'PROCESS_ASSIGNED' || isEnd(type);

interface Certainty {
  readonly goesOn: boolean;
  /** A step is over when its process goes on; others may wait beside it. */
  readonly isCertain: boolean;
}

function missing(
  { effectId, kind, label, request }: EffectState,
  { first: seq }: NumberRange,
  { goesOn, isCertain }: Certainty,
): Missing {
  const what =
    kind === 'step'
      ? `what the step ${String(request.name ?? label ?? effectId)} came to`
      : `the answer of effect ${effectId}`;
  const then = kind === 'step' ? 'it runs again' : 'it is waited for again';
  if (!goesOn) return { why: `${what}, in entry ${seq}, is lost: ${then}` };
  const next = `${then}, and its process may not come to what follows (replay_nondeterminism)`;
  if (!isCertain) return { why: `${what} may have stood in entry ${seq}, which is lost: ${next}` };
  return { why: `${what}, in entry ${seq}, is lost: ${next}`, path: `journal/${numberOf(seq)}` };
}
