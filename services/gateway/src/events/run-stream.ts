import { type EventHub } from './event-hub.ts';
import { type EventFrame, toEventFrame } from './frames.ts';
import type { RunLog, RunSubjects } from './run-log.ts';

/** Why a stream ends: `interrupted` if events may follow, which another stream can send. */
export type StreamEnd = 'ended' | 'interrupted';

/** The receiver of the events of a stream, such as an HTTP response. */
export interface StreamSink {
  event(event: EventFrame): void;
  /** Shows the client that the stream is alive. */
  heartbeat(): void;
  /** Bytes that are still buffered. */
  readonly pendingBytes: number;
  drained(): Promise<void>;
  /** Ends the output after what is buffered. */
  end(reason: StreamEnd): void;
  /** The client reads too slowly: drops what is buffered, and closes the connection. */
  abort(): void;
}

export interface RunStreamOptions {
  readonly run: RunSubjects;
  readonly afterSeq: number;
  readonly deltas: boolean;
  /** The run has already ended: close after the past events. */
  readonly ended: boolean;
}

const PAGE = 500;
const HEARTBEAT_MS = 15_000;
/** How long to wait for the final directive after the terminal fact. */
const FINAL_DIRECTIVE_MS = 2_000;
/** How long to wait for the next narration after the end of a narrated run. Narrations follow their events. */
const NEXT_NARRATION_MS = 5_000;
/** A client with more buffered bytes is disconnected. It reconnects and resumes after its last event. */
const MAX_PENDING_BYTES = 4 * 1024 * 1024;

/**
 * Streams the events of one run to one client: past events from the log, then new events, without gaps or duplicates. It subscribes before
 * it reads the log, so the two overlap; sequences identify events that were already sent.
 */
export class RunStream {
  readonly #hub: EventHub;
  readonly #log: RunLog;
  readonly #sink: StreamSink;
  readonly #options: RunStreamOptions;
  /** New events that arrived while the log was being read; undefined after that. */
  #held: EventFrame[] | undefined = [];
  #heldBytes = 0;
  /** Whether new events were dropped, so that they have to be read from the log. */
  #isBehind = false;
  #sent: number;
  #unsubscribe: () => void = () => {};
  #heartbeat: NodeJS.Timeout | undefined;
  #finalTimer: NodeJS.Timeout | undefined;
  #narrated = false;
  #ended = false;
  #closed = false;

  constructor(hub: EventHub, log: RunLog, sink: StreamSink, options: RunStreamOptions) {
    this.#hub = hub;
    this.#log = log;
    this.#sink = sink;
    this.#options = options;
    this.#sent = options.afterSeq;
  }

  /** Resolves when the past events are sent. The stream then continues with new events. */
  async start(): Promise<void> {
    const { requestId } = this.#options.run;
    this.#unsubscribe = this.#hub.subscribe(
      requestId,
      (frame) => this.#receive(frame),
      () => this.close('interrupted'),
    );
    this.#heartbeat = setInterval(() => this.#sink.heartbeat(), HEARTBEAT_MS);
    const first = this.#options.afterSeq === 0 ? this.#hub.takeHeld(requestId) : undefined;
    if (first) for (const frame of first) this.#send(frame);
    else await this.#catchUp();
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const frame of held) this.#send(frame);
    if (this.#options.ended) this.close('ended');
  }

  /** Ends the stream. Idempotent. */
  close(reason: StreamEnd): void {
    if (this.#closed) return;
    this.#release();
    this.#sink.end(reason);
  }

  /** Ends the stream of a client that reads too slowly, with what is buffered for it. */
  #disconnect(): void {
    this.#release();
    this.#held &&= [];
    this.#sink.abort();
  }

  #release(): void {
    this.#closed = true;
    this.#unsubscribe();
    clearInterval(this.#heartbeat);
    clearTimeout(this.#finalTimer);
  }

  async #catchUp(): Promise<void> {
    for (let after = this.#sent, more = true; (more || this.#isBehind) && !this.#closed; ) {
      this.#isBehind = false;
      const page = await this.#log.page(this.#options.run, after, PAGE);
      for (const message of page.items) {
        const frame = toEventFrame(message, page.created);
        if (frame) this.#send(frame);
        if (this.#sink.pendingBytes > MAX_PENDING_BYTES) await this.#sink.drained();
      }
      if (this.#sink.pendingBytes > 0) await this.#sink.drained();
      ({ more, upTo: after } = page);
    }
  }

  #receive(frame: EventFrame): void {
    if (this.#held) this.#hold(this.#held, frame);
    else this.#send(frame);
  }

  /** Drops events that the log has when there are too many: they are read from the log instead. */
  #hold(held: EventFrame[], event: EventFrame): void {
    held.push(event);
    this.#heldBytes += bytesOf(event);
    if (this.#heldBytes <= MAX_PENDING_BYTES) return;
    const deltas = held.filter(({ seq }) => seq === undefined);
    this.#held = deltas;
    this.#heldBytes = deltas.reduce((sum, delta) => sum + bytesOf(delta), 0);
    this.#isBehind = true;
    if (this.#heldBytes > MAX_PENDING_BYTES) this.#disconnect();
  }

  #send(event: EventFrame): void {
    if (this.#closed) return;
    if (event.seq === undefined ? !this.#options.deltas : event.seq <= this.#sent) return;
    if (event.seq !== undefined) this.#sent = event.seq;
    this.#sink.event(event);
    const tooSlow = !this.#held && this.#sink.pendingBytes > MAX_PENDING_BYTES;
    if (tooSlow) this.#disconnect();
    else this.#closeAfterEnd(event);
  }

  /** Closes after the last event of the run. A narrated run ends with the narration of its terminal event. */
  #closeAfterEnd({ ends, narrates }: EventFrame): void {
    this.#narrated ||= narrates !== undefined;
    this.#ended ||= ends === 'last';
    if (ends === 'terminal') this.#closeIn(FINAL_DIRECTIVE_MS);
    if (!this.#ended) return;
    if (!this.#narrated || narrates === 'end') this.close('ended');
    else if (ends !== undefined || narrates !== undefined) this.#closeIn(NEXT_NARRATION_MS);
  }

  #closeIn(ms: number): void {
    clearTimeout(this.#finalTimer);
    this.#finalTimer = setTimeout(() => this.close('ended'), ms);
  }
}

const bytesOf = ({ frame, view }: EventFrame): number => frame.length + (view?.length ?? 0);
