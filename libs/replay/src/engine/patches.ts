import type { Entry, EntryDraft } from '@reins/journal';

/** The label of the log line that remembers a patched place. */
const PATCH_LABEL = '@patched';

/** Which changed places of a process this run passes the new way. A place that it passed before the change stays the old way. */
export class Patches {
  readonly #newWay = new Set<string>();
  readonly #oldWay = new Set<string>();
  /** Nothing is recorded after what the process reacts to now: it has not been here before. */
  atTip = true;

  /** Learns from the journal that is about to be replayed. */
  replayed(entries: readonly Entry[]): void {
    for (const entry of entries) if (isPatchMark(entry)) this.#newWay.add(String(entry.data.message));
  }

  /** The run starts anew: what it passed before says nothing of the places that it passes from here on. */
  forget(): void {
    this.#newWay.clear();
    this.#oldWay.clear();
  }

  /** `isFirst`: the journal must remember it from now on. */
  ask(id: string): { readonly goesNewWay: boolean; readonly isFirst: boolean } {
    if (this.#newWay.has(id)) return { goesNewWay: true, isFirst: false };
    if (!this.atTip) this.#oldWay.add(id);
    if (this.#oldWay.has(id)) return { goesNewWay: false, isFirst: false };
    this.#newWay.add(id);
    return { goesNewWay: true, isFirst: true };
  }
}

export function patchMark(id: string): EntryDraft {
  return { type: 'PROCESS_LOG', data: { label: PATCH_LABEL, message: id } };
}

export function isPatchMark(entry: Pick<Entry, 'type' | 'data'>): entry is Entry<'PROCESS_LOG'> {
  return entry.type === 'PROCESS_LOG' && (entry as Entry<'PROCESS_LOG'>).data.label === PATCH_LABEL;
}
