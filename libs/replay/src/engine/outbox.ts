import type { JsonObject } from '@reins/contracts';
import { type Entry, type EntryDraft, isHook } from '@reins/journal';
import { type Divergence, divergence } from './divergence.ts';
import { foreignMatch, foreignPlace, isForeign } from './foreign-match.ts';
import { isSame } from './same-decision.ts';

/**
 * Decisions of the process that are not in the journal yet, in order. A replay compares them with the recorded
 * decisions one by one; what is left at the end of the journal is new.
 */
export class Outbox {
  #unrecorded: EntryDraft[] = [];

  push(draft: EntryDraft): void {
    this.#unrecorded.push(draft);
  }

  takeAll(): EntryDraft[] {
    const unrecorded = this.#unrecorded;
    this.#unrecorded = [];
    return unrecorded;
  }

  /** Compares a recorded decision with the next decision of the process; undefined when they agree. */
  match(entry: Entry): Divergence | undefined {
    if (entry.type === 'PROCESS_LOG') return this.#matchLog();
    const at = this.#unrecorded.findIndex(({ type }) => type !== 'PROCESS_LOG');
    const actual = this.#unrecorded[at];
    if (actual && isSame(entry, actual)) {
      this.#unrecorded.splice(0, at + 1);
      return undefined;
    }
    // It may have been recorded from outside. The decisions of the process come after it, with their logs and marks.
    return entry.type === 'PROCESS_RUNTIME_ERROR' ? undefined : divergence(entry, actual);
  }

  /**
   * Finds the request that an entry from a journal of another system stands for. Such a journal has its own keys, and
   * the order of the program instead of the answers. Undefined when the process made no such request.
   */
  adopt(entry: Entry<'EFFECT_REQUESTED'>): EntryDraft<'EFFECT_REQUESTED'> | undefined {
    const at = foreignMatch(this.#unrecorded, entry.data);
    if (at < 0) return undefined;
    const [actual] = this.#unrecorded.splice(at, 1);
    this.#unrecorded = this.#unrecorded.filter((draft, i) => i >= at || draft.type !== 'PROCESS_LOG');
    return actual as EntryDraft<'EFFECT_REQUESTED'>;
  }

  /** Removes requested hooks, and returns each with the answer that no hook was registered. */
  takeHooks(): { readonly effectId: string; readonly answer: JsonObject }[] {
    const hooks = this.#unrecorded.flatMap((draft) => {
      if (draft.type !== 'EFFECT_REQUESTED' || !isHook(draft.data)) return [];
      const { type: hookType = null } = (draft.data.request.args ?? {}) as JsonObject;
      return [
        { draft, effectId: draft.data.effectId, answer: { value: { hookType, success: true, executedHooks: [] } } },
      ];
    });
    const taken = new Set<EntryDraft>(hooks.map(({ draft }) => draft));
    this.#unrecorded = this.#unrecorded.filter((draft) => !taken.has(draft));
    return hooks;
  }

  /** The divergence between a recorded decision and what the process decided. */
  divergenceAt(entry: Entry): Divergence {
    this.#skipLogs();
    const place =
      entry.type === 'EFFECT_REQUESTED' && isForeign(entry) ? foreignPlace(this.#unrecorded, entry.data) : 0;
    return divergence(entry, this.#unrecorded[Math.max(0, place)]);
  }

  /**
   * Whether the process itself cancelled this effect, so that the entry is its own decision. Also drops the
   * cancellation of an effect that was closed while the run was paused.
   */
  matchCancellation(effectId: string): boolean {
    const at = this.#unrecorded.findIndex(
      (draft) => draft.type === 'EFFECT_CANCELLED' && draft.data.effectId === effectId,
    );
    if (at >= 0) this.#unrecorded.splice(at, 1);
    return at >= 0;
  }

  /** Log messages may change without changing behaviour, so they are counted but not compared. */
  #matchLog(): undefined {
    if (this.#unrecorded[0]?.type === 'PROCESS_LOG') this.#unrecorded.shift();
  }

  #skipLogs(): void {
    while (this.#unrecorded[0]?.type === 'PROCESS_LOG') this.#unrecorded.shift();
  }
}
