import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { type Bus, type BusMessage, orderedReader, parseReference, type Reader, type ReaderGap } from '@reins/bus';
import { NO_REQUEST, parseEventSubject } from '@reins/contracts';
import { BUS, Health, LOG, type Logger, METRICS, newCounter } from '@reins/service-kit';
import { type Counter, Registry } from 'prom-client';
import { Admission } from './admission.ts';
import { EventHub } from './events/event-hub.ts';
import { toEventFrame } from './events/frames.ts';
import { RunLog } from './events/run-log.ts';

const EVENTS = 'EVENTS';
const RETRY_MS = 500;
const ENDS = /^runtime\.request\.(completed|failed|cancelled)\./;
const STARTS = 'runtime.request.started.';

/** Reads the event log and the deltas once per process and fans them out to all watching clients. */
@Injectable()
export class GatewayHandlers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #stopping = new AbortController();
  readonly #reading = new Set<string>();
  #loops: Promise<void>[] = [];
  readonly #readers = new Map<string, Reader>();
  readonly #gaps: Counter;

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    @Inject(LOG) private readonly log: Logger,
    @Inject(Health) private readonly health: Health,
    @Inject(EventHub) private readonly hub: EventHub,
    @Inject(RunLog) private readonly runLog: RunLog,
    @Inject(Admission) private readonly admission: Admission,
    @Inject(Registry) registry: Registry,
  ) {
    this.#gaps = newCounter(registry, METRICS.gatewayGaps);
  }

  onApplicationBootstrap(): void {
    this.#loops = [
      this.#keepReading(EVENTS, (message) => this.event(message)),
      this.#keepReading('DELTAS', (message) => this.delta(message)),
    ];
    for (const stream of [EVENTS, 'DELTAS']) {
      this.health.add({
        name: stream.toLowerCase(),
        reason: () => (this.#reading.has(stream) ? undefined : `${stream} is not being read`),
      });
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#stopping.abort();
    this.hub.closeAll();
    await Promise.all([...this.#readers.values()].map((reader) => reader.stop()));
    await Promise.all(this.#loops);
  }

  /** Handles a message of EVENTS. Returns a promise when its body must be loaded from the blob store. */
  event(message: BusMessage): void | Promise<void> {
    const { subject, seq } = message;
    const requestId = parseEventSubject(subject)?.requestId;
    if (requestId === undefined || requestId === NO_REQUEST) return;
    this.hub.recordSeq(requestId, seq);
    if (subject.startsWith(STARTS)) this.admission.opened(requestId);
    else if (ENDS.test(subject)) this.admission.closed(requestId);
    if (!this.hub.isWatched(requestId)) return;
    if (!parseReference(message.data)) return this.#publish(message, this.#created);
    return this.runLog.withBody(message).then((whole) => this.#publish(whole, this.#created));
  }

  delta(message: BusMessage): void {
    const requestId = parseEventSubject(message.subject)?.requestId;
    if (requestId !== undefined && this.hub.isWatched(requestId)) this.#publish(message, undefined);
  }

  /** Creation time of the event log. */
  get #created(): string {
    return this.#readers.get(EVENTS)?.created ?? '';
  }

  #publish(...of: Parameters<typeof toEventFrame>): void {
    const frame = toEventFrame(...of);
    if (frame) this.hub.publish(frame);
  }

  #reportGap(stream: string, { reason, expectedSeq, nextSeq }: ReaderGap): void {
    this.#gaps.inc({ reason });
    this.log.error({ stream, reason, from: expectedSeq, to: nextSeq }, 'stream did not continue at the position');
    this.#handleGap(stream);
  }

  /** Handles a gap: watching clients must reconnect, and the set of open requests is unknown. */
  #handleGap(stream: string): void {
    this.hub.closeAll();
    if (stream === EVENTS) this.admission.reset();
  }

  /** Reads until the service stops. When a reader ends, disconnects its clients: they reconnect and resume after their last event. */
  async #keepReading(stream: string, onMessage: (message: BusMessage) => void | Promise<void>): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        const reader = await orderedReader(this.bus, {
          stream,
          from: 'new',
          onMessage,
          onGap: (gap) => this.#reportGap(stream, gap),
        });
        this.#handleGap(stream);
        this.#readers.set(stream, reader);
        this.#reading.add(stream);
        if (signal.aborted) await reader.stop();
        await reader.closed.finally(() => this.#readers.delete(stream));
      } catch (error) {
        if (!signal.aborted) this.log.warn({ err: error, stream }, 'stream reader interrupted');
      }
      this.#reading.delete(stream);
      this.hub.closeAll();
      await sleep(RETRY_MS, undefined, { signal }).catch(() => {});
    }
  }
}
