import { type Blobs, type Bus, inline, lastOf } from '@reins/bus';
import { type EventOf, type EventType, eventSubject, parseEvent, type RunAddress } from '@reins/contracts';
import type { RunOwner, TerminalFact } from '../run/run-ports.ts';

const ENDS: readonly TerminalFact['type'][] = [
  'runtime.request.completed',
  'runtime.request.failed',
  'runtime.request.cancelled',
];

/** What the log tells of runs; nothing where that is as old as to be gone from there. */
export class RunFactReader {
  readonly #bus: Bus;
  readonly #blobs: Blobs;

  constructor(bus: Bus, blobs: Blobs) {
    this.#bus = bus;
    this.#blobs = blobs;
  }

  /** Whose a run is. */
  readonly owner = (run: RunAddress): Promise<RunOwner | undefined> => this.#last(run, 'runtime.request.started');

  /** How a run has ended. */
  readonly end = async (run: RunAddress): Promise<TerminalFact | undefined> => {
    for (const type of ENDS) {
      const fact = await this.#last(run, type);
      if (fact) return fact;
    }
    return undefined;
  };

  async #last<T extends EventType>(
    { workspaceId, runId: requestId }: RunAddress,
    type: T,
  ): Promise<EventOf<T> | undefined> {
    const fact = await lastOf(this.#bus, 'EVENTS', eventSubject({ type, workspaceId, requestId }));
    return fact && (parseEvent(await inline(this.#blobs, fact.data)) as EventOf<T>);
  }
}
