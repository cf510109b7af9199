import type { EntryData, JsonObject, JsonValue } from '@reins/contracts';
import type { Entry, EntryDraft } from '@reins/journal';
import { MARKS } from './marks.ts';

/** Signals that arrived before the process requested them, by name, oldest first. */
export class SignalBuffer {
  readonly #byName = new Map<string, JsonValue[]>();

  /** A signal that resolves an effect is not buffered. */
  add({ name, payload = null, effectId }: EntryData['SIGNAL_RECEIVED']): void {
    if (effectId !== undefined) return;
    const waiting = this.#byName.get(name);
    if (waiting) waiting.push(payload);
    else this.#byName.set(name, [payload]);
  }

  take(name: string): { readonly payload: JsonValue } | undefined {
    const waiting = this.#byName.get(name);
    const payload = waiting?.shift();
    if (waiting?.length === 0) this.#byName.delete(name);
    return payload === undefined ? undefined : { payload };
  }

  /** The log entry that keeps the buffered signals across a restart; undefined when there are none. */
  carry(): EntryDraft | undefined {
    if (this.#byName.size === 0) return undefined;
    const message = [...this.#byName].flatMap(([name, payloads]) => payloads.map((payload) => ({ name, payload })));
    return { type: 'PROCESS_LOG', data: { label: MARKS.carried, message } };
  }

  /** Restores the signals before a start of the process: those carried over, or all if no process ran before. */
  restore(before: readonly Entry[]): void {
    const last = before.at(-1);
    if (last?.type === 'PROCESS_LOG' && last.data.label === MARKS.carried) {
      for (const { name, payload } of last.data.message as (JsonObject & { name: string; payload: JsonValue })[])
        this.add({ name, payload });
      return;
    }
    if (before.some(({ type }) => type === 'EFFECT_REQUESTED' || type === 'PROCESS_ASSIGNED')) return;
    for (const entry of before) if (entry.type === 'SIGNAL_RECEIVED') this.add(entry.data);
  }
}
