import type { Entry, EntryDraft } from '@reins/journal';
import { DECISIONS } from './decisions.ts';
import { MARKS } from './marks.ts';

/** Which changed places of a process this run passes the new way. A place that it passed before the change stays the old way. */
export class Patches {
  /** The places that each start passes the new way, from the one that is under way on. */
  #newWays: Set<string>[] = [new Set()];
  readonly #oldWay = new Set<string>();
  #decisionsEndAt = 0;
  /** The version of the entry that the process reacts to; undefined when that is not in the journal yet. */
  reactsTo: number | undefined;

  /** Learns from the journal that is about to be replayed. */
  replayed(entries: readonly Entry[]): void {
    this.#decisionsEndAt = entries.findLast(isDecision)?.version ?? 0;
    this.#newWays = [new Set()];
    for (const entry of entries.slice(1)) {
      if (entry.type === 'PROCESS_ASSIGNED') this.#newWays.push(new Set());
      else if (isPatchMark(entry)) this.#newWays.at(-1)?.add(String(entry.data.message));
    }
  }

  /** The run starts anew: what it passed before says nothing of the places that it passes from here on. */
  forget(): void {
    this.#newWays.shift();
    if (this.#newWays.length === 0) this.#newWays.push(new Set());
    this.#oldWay.clear();
  }

  /** `isFirst`: the journal must remember it from now on. */
  ask(id: string): { readonly goesNewWay: boolean; readonly isFirst: boolean } {
    const [newWay] = this.#newWays;
    if (newWay?.has(id)) return { goesNewWay: true, isFirst: false };
    if (this.#wasHere) this.#oldWay.add(id);
    if (this.#oldWay.has(id)) return { goesNewWay: false, isFirst: false };
    newWay?.add(id);
    return { goesNewWay: true, isFirst: true };
  }

  /** What the process decided after what it reacts to now shows that it did so before. What was answered meanwhile does not. */
  get #wasHere(): boolean {
    return this.reactsTo !== undefined && this.reactsTo < this.#decisionsEndAt;
  }
}

/** Only a process that has run leaves these. The error that it waits with may come from outside. */
const isDecision = (entry: Entry): boolean =>
  DECISIONS.has(entry.type) || entry.type === 'PROCESS_LOG' || isOwnCancellation(entry);

/** A process always says why, and cannot confirm it. */
const isOwnCancellation = ({ type, data }: Entry): boolean =>
  type === 'EFFECT_CANCELLED' && !data.confirmed && data.reason !== undefined;

export function patchMark(id: string): EntryDraft {
  return { type: 'PROCESS_LOG', data: { label: MARKS.patched, message: id } };
}

export function isPatchMark(entry: Pick<Entry, 'type' | 'data'>): entry is Entry<'PROCESS_LOG'> {
  return entry.type === 'PROCESS_LOG' && (entry as Entry<'PROCESS_LOG'>).data.label === MARKS.patched;
}
