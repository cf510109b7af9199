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

  /** As it is after these entries, where a process is about to begin. */
  restore(before: readonly Entry[]): void {
    for (const entry of before) this.note(entry);
    this.generation = before.filter(({ type }) => type === 'PROCESS_ASSIGNED').length;
    this.signals.restore(before);
  }

  note({ type, data }: Fed): void {
    if (type === 'RUN_CREATED' || type === 'PROCESS_ASSIGNED') this.request = data.metadata ?? this.request;
  }
}
