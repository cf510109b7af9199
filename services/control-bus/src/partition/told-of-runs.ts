import { type Blobs, type Bus, inline, lastMessageOn } from '@reins/bus';
import { type EventOf, type EventType, eventSubject, parseEvent, type RunAddress } from '@reins/contracts';
import type { RunOwner, ToldEnd } from '../run/run-ports.ts';

const ENDS: readonly ToldEnd['type'][] = [
  'runtime.request.completed',
  'runtime.request.failed',
  'runtime.request.cancelled',
];

/** What the log tells of runs; nothing where that is as old as to be gone from there. */
export class ToldOfRuns {
  readonly #bus: Bus;
  readonly #blobs: Blobs;

  constructor(bus: Bus, blobs: Blobs) {
    this.#bus = bus;
    this.#blobs = blobs;
  }

  /** Whose a run is. */
  readonly begun = (run: RunAddress): Promise<RunOwner | undefined> => this.#last(run, 'runtime.request.started');

  /** How a run has ended. */
  readonly ended = async (run: RunAddress): Promise<ToldEnd | undefined> => {
    for (const type of ENDS) {
      const told = await this.#last(run, type);
      if (told) return told;
    }
    return undefined;
  };

  async #last<T extends EventType>(
    { workspaceId, runId: requestId }: RunAddress,
    type: T,
  ): Promise<EventOf<T> | undefined> {
    const told = await lastMessageOn(this.#bus, 'EVENTS', eventSubject({ type, workspaceId, requestId }));
    return told && (parseEvent(await inline(this.#blobs, told.data)) as EventOf<T>);
  }
}
