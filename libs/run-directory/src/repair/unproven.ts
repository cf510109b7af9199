import { defined, ReinsError } from '@reins/contracts';
import type { DatedDraft, EntryDraft } from '@reins/journal';
import type { KeptEntry } from './kept-entry.ts';
import { isNote } from './lost-notes.ts';
import type { Branch } from './place-chain.ts';

/** An entry whose content was changed, and which nothing proves. */
export interface UnprovenEntry {
  /** Its version in the journal. */
  readonly entry: number;
  readonly name: string;
  readonly type: string;
  /** Absent for an entry that is not about an effect. */
  readonly effectId?: string;
  /** The file that the kept content is from, if it is not the entry's own. */
  readonly from?: string;
  /** The file of another intact entry in its place. */
  readonly rival?: string;
}

/** The kept entries whose content nothing proves, and which a run depends on. */
export const unprovenEntries = (kept: readonly KeptEntry[]): UnprovenEntry[] =>
  kept.filter((one) => one.rival !== undefined || (one.isUnproven && !isNote(one.draft))).map(unprovenOf);

/**
 * Marks the entries that decide for one of two branches of a journal: the first one from there on that a run depends on.
 * A branch of notes does not count.
 */
export function withRivals(kept: readonly KeptEntry[], branches: readonly Branch[]): readonly KeptEntry[] {
  const rivals = new Map<KeptEntry, string>();
  for (const { version, chain } of branches) {
    const [other] = chain.filter(({ entry }) => !isNote(entry));
    const from = kept.filter(({ file }) => file.seq >= version);
    const one = from.find(({ draft }) => !isNote(draft)) ?? from[0];
    if (other && one) rivals.set(one, other.file.name);
  }
  return kept.map((one) => ({ ...one, ...(rivals.has(one) && { rival: rivals.get(one) as string }) }));
}

const namesOf = ({ entry, effectId }: UnprovenEntry): string[] => [
  String(entry),
  ...(effectId === undefined ? [] : [effectId]),
];

/** Whether the caller accepts an entry, by its number or its effect. */
export const isAcceptedBy =
  (accept: readonly string[]) =>
  (one: UnprovenEntry): boolean =>
    namesOf(one).some((name) => accept.includes(name));

/** @throws ReinsError `wrong_usage` for a name that none of these entries has */
export function assertAcceptable(accept: readonly string[], all: readonly UnprovenEntry[]): void {
  const unused = accept.find((name) => !all.some((one) => namesOf(one).includes(name)));
  if (unused !== undefined) throw nothingToAccept(unused, all);
}

function unprovenOf({ draft: { type, data }, file, recovered, rival }: KeptEntry): UnprovenEntry {
  const effectId = 'effectId' in data ? data.effectId : undefined;
  return {
    entry: file.seq,
    name: file.name,
    type,
    ...defined({ effectId }),
    ...(recovered && { from: recovered.from }),
    ...defined({ rival }),
  };
}

/** Warns about changed notes. They are kept as they are. */
export const changedNotes = (kept: readonly KeptEntry[]): string[] =>
  kept
    .filter((one) => one.isUnproven && isNote(one.draft))
    .map(
      ({ draft, file }) =>
        `entry ${file.seq} (${draft.type}) was changed, and its content cannot be verified: it is kept as it is`,
    );

/** The sentence that reports an unproven entry, with the way out. */
export function unprovenWarning({ entry, type, effectId, from, rival }: UnprovenEntry): string {
  if (rival !== undefined)
    return `entry ${entry} (${type}) and ${rival} continue the journal in different ways, and nothing says which is right: keep entry ${entry} with --accept ${effectId ?? entry}, or remove the files of the wrong continuation`;
  const about = effectId === undefined ? '' : ` of effect ${effectId}`;
  const kept = from === undefined ? 'its content' : `the content of ${from}`;
  const way = `keep ${kept} with --accept ${effectId ?? entry}, or restore the entry from a copy`;
  const what = from?.startsWith('tasks/') && type.startsWith('EFFECT_') ? 'was changed or is lost' : 'was changed';
  return `entry ${entry} (${type})${about} ${from === 'run.json' ? 'is lost' : what}, and its content cannot be verified: ${way}`;
}

/** The label of log entries that a repair adds. */
const LABEL = 'run:repair-journal';

/**
 * Adds a log entry next to each accepted entry. It stands before the entry, where a replay expects no decision of the
 * process; the first entry has it behind.
 */
export function withAcceptanceNotes(
  drafts: readonly KeptEntry[],
  accepted: readonly UnprovenEntry[],
  now: Date,
): DatedDraft[] {
  const byVersion = new Map(accepted.map((one) => [one.entry, one]));
  return drafts.flatMap((one): DatedDraft[] => {
    const unproven = one.isUnproven || one.rival !== undefined ? byVersion.get(one.file.seq) : undefined;
    if (!unproven) return [one];
    const note: DatedDraft = { draft: acceptanceNote(unproven, now), recordedAt: one.recordedAt };
    return unproven.entry === 1 ? [one, note] : [note, one];
  });
}

/** The log entry about accepted content. */
export function acceptanceNote({ entry, type, effectId, from }: UnprovenEntry, now: Date): EntryDraft {
  const accepted = { entry, type, ...defined({ effectId }), ...(from && { from }) };
  return { type: 'PROCESS_LOG', data: { label: LABEL, message: { accepted, at: now.toISOString() } } };
}

const nothingToAccept = (name: string, all: readonly UnprovenEntry[]): ReinsError =>
  new ReinsError({
    code: 'wrong_usage',
    message: `${name} has no changed content to accept`,
    path: '--accept',
    hint:
      all.length === 0
        ? 'Omit --accept: no entry needs to be accepted.'
        : `Name one of these: ${all.map(({ entry, effectId }) => effectId ?? entry).join(', ')}.`,
  });
