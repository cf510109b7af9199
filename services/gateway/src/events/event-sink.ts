import { type EventFrame, HEARTBEAT } from './frames.ts';
import type { ResponseSink } from './response-sink.ts';
import type { StreamSink } from './run-stream.ts';

/** Sends the events of a run under their own names, and as stream views if the client wants them. */
export class EventSink implements StreamSink {
  readonly #response: ResponseSink;
  readonly #views: boolean;

  /** @param views also send tool progress and narration as stream views */
  constructor(response: ResponseSink, views: boolean) {
    this.#response = response;
    this.#views = views;
  }

  event({ frame, view }: EventFrame): void {
    this.#response.write(frame);
    if (view && this.#views) this.#response.write(view);
  }

  heartbeat(): void {
    this.#response.write(HEARTBEAT);
  }

  get pendingBytes(): number {
    return this.#response.pendingBytes;
  }

  drained(): Promise<void> {
    return this.#response.drained();
  }

  end(): void {
    this.#response.end();
  }

  abort(): void {
    this.#response.abort();
  }
}
