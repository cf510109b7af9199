import type { JsonObject } from '@reins/contracts';
import type { Entry } from '@reins/journal';
import { Patches } from './patches.ts';
import { SignalBuffer } from './signal-buffer.ts';
import type { Fed } from './turn.ts';

/** What a run keeps when its process begins anew. */
export class RunMemory {
  readonly signals = new SignalBuffer();
  readonly patches = new Patches();
  /** How often it began anew. */
  generation = 0;
  /** What the run's creator said beside its inputs. */
  request: JsonObject = {};
  /** The effects that the journal has which is being replayed. */
  readonly recorded = new Set<string>();

  /** As it is after the first of these entries, where a process is about to begin; the others are about to be replayed. */
  restore(before: readonly Entry[], entries: readonly Entry[]): void {
    for (const entry of before) this.note(entry);
    this.generation = before.filter(({ type }) => type === 'PROCESS_ASSIGNED').length;
    this.signals.restore(before);
    this.patches.replayed(entries.slice(before.length));
    for (const { type, data } of entries) if (type === 'EFFECT_REQUESTED') this.recorded.add(data.effectId);
  }

  note({ type, data }: Fed): void {
    if (type === 'RUN_CREATED' || type === 'PROCESS_ASSIGNED') this.request = data.metadata ?? this.request;
  }
}
