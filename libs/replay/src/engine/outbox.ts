import type { JsonObject } from '@reins/contracts';
import type { Entry, EntryDraft } from '@reins/journal';
import { type Divergence, divergence } from './divergence.ts';
import { foreignMatch, foreignPlace, isForeign } from './foreign-match.ts';
import { isSame } from './same-decision.ts';

/**
 * What the process decided and the journal does not have yet, in order. During replay the journal's own decisions are held
 * against it one by one; what is left at the journal's end is new.
 */
export class Outbox {
  #owed: EntryDraft[] = [];

  push(draft: EntryDraft): void {
    this.#owed.push(draft);
  }

  takeAll(): EntryDraft[] {
    const owed = this.#owed;
    this.#owed = [];
    return owed;
  }

  /** Holds a recorded decision of the process against what the process decided; undefined when they agree. */
  match(entry: Entry): Divergence | undefined {
    if (entry.type === 'PROCESS_LOG') return this.#matchLog();
    this.#skipLogs();
    const mine = this.#owed[0];
    if (mine && isSame(entry, mine)) {
      this.#owed.shift();
      return undefined;
    }
    // An operator may have noted it.
    return entry.type === 'PROCESS_RUNTIME_ERROR' ? undefined : divergence(entry, mine);
  }

  /**
   * The request that an entry from a journal of another system stands for: such a journal knows a call by its own key, and its
   * order is that of the program and not of the answers. Undefined when the process made no such request.
   */
  adopt(entry: Entry<'EFFECT_REQUESTED'>): EntryDraft<'EFFECT_REQUESTED'> | undefined {
    const at = foreignMatch(this.#owed, entry.data);
    if (at < 0) return undefined;
    const [mine] = this.#owed.splice(at, 1);
    this.#owed = this.#owed.filter((draft, i) => i >= at || draft.type !== 'PROCESS_LOG');
    return mine as EntryDraft<'EFFECT_REQUESTED'>;
  }

  /** Takes out what was asked of hooks, with the answer of hooks of which nobody took notice. */
  takeHooks(): { readonly effectId: string; readonly answer: JsonObject }[] {
    const hooks = this.#owed.flatMap((draft) => {
      if (draft.type !== 'EFFECT_REQUESTED' || draft.data.request.kind !== 'hook') return [];
      const { type: hookType = null } = (draft.data.request.args ?? {}) as JsonObject;
      return [
        { draft, effectId: draft.data.effectId, answer: { value: { hookType, success: true, executedHooks: [] } } },
      ];
    });
    const taken = new Set<EntryDraft>(hooks.map(({ draft }) => draft));
    this.#owed = this.#owed.filter((draft) => !taken.has(draft));
    return hooks;
  }

  /** What the process did instead of a recorded decision. */
  divergenceAt(entry: Entry): Divergence {
    this.#skipLogs();
    const place = entry.type === 'EFFECT_REQUESTED' && isForeign(entry) ? foreignPlace(this.#owed, entry.data) : 0;
    return divergence(entry, this.#owed[Math.max(0, place)]);
  }

  /**
   * Whether the process itself cancelled this effect, so that the entry is its own decision. An effect that was closed while the run was
   * paused, before the process came to cancel it, is not cancelled any more.
   */
  matchCancellation(effectId: string): boolean {
    const at = this.#owed.findIndex((draft) => draft.type === 'EFFECT_CANCELLED' && draft.data.effectId === effectId);
    if (at >= 0) this.#owed.splice(at, 1);
    return at >= 0;
  }

  /** What is said may change without changing what is done, so lines are counted and not compared. */
  #matchLog(): undefined {
    if (this.#owed[0]?.type === 'PROCESS_LOG') this.#owed.shift();
  }

  #skipLogs(): void {
    while (this.#owed[0]?.type === 'PROCESS_LOG') this.#owed.shift();
  }
}
