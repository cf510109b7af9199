import type { JsonObject } from '@reins/contracts';
import type { Entry } from '@reins/journal';
import { Patches } from './patches.ts';
import { SignalBuffer } from './signal-buffer.ts';
import type { FedEntry } from './turn.ts';

/** What a run keeps when its process continues as new. */
export class RunMemory {
  readonly signals = new SignalBuffer();
  readonly patches = new Patches();
  /** How often the process was restarted. */
  generation = 0;
  /** Metadata that the run's creator gave in addition to the inputs. */
  request: JsonObject = {};
  /** The effects in the replayed journal. */
  readonly recorded = new Set<string>();

  /** Restores the state before a start of the process, and prepares the replay of the entries after it. */
  restore(before: readonly Entry[], entries: readonly Entry[]): void {
    for (const entry of before) this.remember(entry);
    this.generation = before.filter(({ type }) => type === 'PROCESS_ASSIGNED').length;
    this.signals.restore(before);
    this.patches.replayed(entries.slice(before.length));
    for (const { type, data } of entries) if (type === 'EFFECT_REQUESTED') this.recorded.add(data.effectId);
  }

  remember({ type, data }: FedEntry): void {
    if (type === 'RUN_CREATED' || type === 'PROCESS_ASSIGNED') this.request = data.metadata ?? this.request;
  }
}
