import { type Blobs, type Bus, inline, lastMessageOn } from '@reins/bus';
import { type EventOf, type EventType, eventSubject, parseEvent, type RunAddress } from '@reins/contracts';
import type { RunOwner, TerminalFact } from '../run/run-ports.ts';

const TERMINAL_TYPES: readonly TerminalFact['type'][] = [
  'runtime.request.completed',
  'runtime.request.failed',
  'runtime.request.cancelled',
];

/** Reads published facts of runs from the event log. Facts past the retention of the log are not found. */
export class RunFactReader {
  readonly #bus: Bus;
  readonly #blobs: Blobs;

  constructor(bus: Bus, blobs: Blobs) {
    this.#bus = bus;
    this.#blobs = blobs;
  }

  /** The session and agent of a run, from its `runtime.request.started`. */
  readonly owner = (run: RunAddress): Promise<RunOwner | undefined> => this.#last(run, 'runtime.request.started');

  /** The terminal fact of a run. */
  readonly end = async (run: RunAddress): Promise<TerminalFact | undefined> => {
    for (const type of TERMINAL_TYPES) {
      const fact = await this.#last(run, type);
      if (fact) return fact;
    }
    return undefined;
  };

  async #last<T extends EventType>(
    { workspaceId, runId: requestId }: RunAddress,
    type: T,
  ): Promise<EventOf<T> | undefined> {
    const fact = await lastMessageOn(this.#bus, 'EVENTS', eventSubject({ type, workspaceId, requestId }));
    return fact && (parseEvent(await inline(this.#blobs, fact.data)) as EventOf<T>);
  }
}
