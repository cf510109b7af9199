import type { Entry, EntryDraft } from '@reins/journal';
import { DECISIONS } from './decisions.ts';
import { MARKS } from './marks.ts';

/**
 * Decides which code path a run takes at a patched place. A place that it passed before the change keeps the old path.
 */
export class Patches {
  /** The patches with the new path, for each start of the process from the current one on. */
  #newPaths: Set<string>[] = [new Set()];
  readonly #oldPath = new Set<string>();
  #decisionsEndAt = 0;
  /** The version of the entry that the process reacts to; undefined when the journal does not have that entry yet. */
  currentVersion: number | undefined;

  /** Reads the marks of the journal that will be replayed. */
  replayed(entries: readonly Entry[]): void {
    this.#decisionsEndAt = entries.findLast(isDecision)?.version ?? 0;
    this.#newPaths = [new Set()];
    for (const entry of entries.slice(1)) {
      if (entry.type === 'PROCESS_ASSIGNED') this.#newPaths.push(new Set());
      else if (isPatchMark(entry)) this.#newPaths.at(-1)?.add(String(entry.data.message));
    }
  }

  /** The process restarts: earlier choices do not apply to the places that follow. */
  forget(): void {
    this.#newPaths.shift();
    if (this.#newPaths.length === 0) this.#newPaths.push(new Set());
    this.#oldPath.clear();
  }

  /** Chooses a path, always the same one for a place. The first choice has to be recorded. */
  choosePath(id: string): { readonly isNewPath: boolean; readonly mustRecord: boolean } {
    const [newPath] = this.#newPaths;
    if (newPath?.has(id)) return { isNewPath: true, mustRecord: false };
    if (this.#passedBefore) this.#oldPath.add(id);
    if (this.#oldPath.has(id)) return { isNewPath: false, mustRecord: false };
    newPath?.add(id);
    return { isNewPath: true, mustRecord: true };
  }

  /** If decisions follow the entry that the process reacts to, it passed here before. Later answers prove nothing. */
  get #passedBefore(): boolean {
    return this.currentVersion !== undefined && this.currentVersion < this.#decisionsEndAt;
  }
}

/** Only a process that has run records these. Not PROCESS_RUNTIME_ERROR: others may record it. */
const isDecision = (entry: Entry): boolean =>
  DECISIONS.has(entry.type) || entry.type === 'PROCESS_LOG' || isOwnCancellation(entry);

/** A process always gives a reason and never confirms a cancellation. */
const isOwnCancellation = ({ type, data }: Entry): boolean =>
  type === 'EFFECT_CANCELLED' && !data.confirmed && data.reason !== undefined;

export function patchMark(id: string): EntryDraft {
  return { type: 'PROCESS_LOG', data: { label: MARKS.patched, message: id } };
}

export function isPatchMark(entry: Pick<Entry, 'type' | 'data'>): entry is Entry<'PROCESS_LOG'> {
  return entry.type === 'PROCESS_LOG' && (entry as Entry<'PROCESS_LOG'>).data.label === MARKS.patched;
}
