import { type EventHub } from './event-hub.ts';
import { type EventFrame, HEARTBEAT, toEventFrame } from './frames.ts';
import type { RunLog, RunSubjects } from './run-log.ts';

/** Where a stream goes: an HTTP response, in the form that it needs. */
export interface StreamSink {
  /** False: the client is slow. */
  write(frame: Buffer): boolean;
  /** Bytes that are not on their way yet. */
  readonly pendingBytes: number;
  drained(): Promise<void>;
  end(): void;
}

export interface RunStreamOptions {
  readonly run: RunSubjects;
  readonly afterSeq: number;
  readonly deltas: boolean;
  /** Also send tool progress and narration under the names of their stream views. */
  readonly views: boolean;
  /** The run had ended when the call came: nothing is waited for. */
  readonly ended: boolean;
}

const PAGE = 500;
const HEARTBEAT_MS = 15_000;
/** How long the last directive may come after the terminal fact. */
const LAST_WORD_MS = 2_000;
/** A client that is further behind is sent away: it comes back behind its last event. */
const MAX_PENDING_BYTES = 4 * 1024 * 1024;

/**
 * The events of one run for one client: first what the log has, then what comes, none twice and none left out. Subscribing comes before
 * reading the log, so the two overlap, and sequences tell what was sent.
 */
export class RunStream {
  readonly #hub: EventHub;
  readonly #log: RunLog;
  readonly #sink: StreamSink;
  readonly #options: RunStreamOptions;
  /** What came while the log was being read; undefined once that is done. */
  #held: EventFrame[] | undefined = [];
  #sent: number;
  #unsubscribe: () => void = () => {};
  #heartbeat: NodeJS.Timeout | undefined;
  #lastWord: NodeJS.Timeout | undefined;
  #over = false;

  constructor(hub: EventHub, log: RunLog, sink: StreamSink, options: RunStreamOptions) {
    this.#hub = hub;
    this.#log = log;
    this.#sink = sink;
    this.#options = options;
    this.#sent = options.afterSeq;
  }

  /** Resolves when everything that the log had is sent; the stream goes on by itself. */
  async start(): Promise<void> {
    const { requestId } = this.#options.run;
    this.#unsubscribe = this.#hub.subscribe(
      requestId,
      (told) => this.#take(told),
      () => this.close(),
    );
    this.#heartbeat = setInterval(() => this.#sink.write(HEARTBEAT), HEARTBEAT_MS);
    const first = this.#options.afterSeq === 0 ? this.#hub.takeHeld(requestId) : undefined;
    if (first) for (const told of first) this.#send(told);
    else await this.#catchUp();
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const told of held) this.#send(told);
    if (this.#options.ended) this.close();
  }

  /** Ends it from either side. */
  close(): void {
    if (this.#over) return;
    this.#over = true;
    this.#unsubscribe();
    clearInterval(this.#heartbeat);
    clearTimeout(this.#lastWord);
    this.#sink.end();
  }

  async #catchUp(): Promise<void> {
    for (let after = this.#sent, more = true; more && !this.#over; ) {
      const page = await this.#log.page(this.#options.run, after, PAGE);
      for (const message of page.items) {
        const told = toEventFrame(message, true);
        if (told) this.#send(told);
      }
      if (this.#sink.pendingBytes > 0) await this.#sink.drained();
      ({ more, upTo: after } = page);
    }
  }

  #take(told: EventFrame): void {
    if (this.#held) this.#held.push(told);
    else this.#send(told);
  }

  #send(told: EventFrame): void {
    if (this.#over) return;
    if (told.seq === undefined ? !this.#options.deltas : told.seq <= this.#sent) return;
    if (told.seq !== undefined) this.#sent = told.seq;
    this.#sink.write(told.frame);
    if (told.view && this.#options.views) this.#sink.write(told.view);
    const tooSlow = !this.#held && this.#sink.pendingBytes > MAX_PENDING_BYTES;
    if (told.ends === 'last' || tooSlow) this.close();
    else if (told.ends === 'terminal') this.#lastWord ??= setTimeout(() => this.close(), LAST_WORD_MS);
  }
}
