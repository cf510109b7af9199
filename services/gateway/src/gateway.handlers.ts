import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { type Bus, type BusMessage, orderedReader, parseReference, type Reader } from '@reins/bus';
import { NO_REQUEST, parseEventSubject } from '@reins/contracts';
import { BUS, Health, LOG, type Logger } from '@reins/service-kit';
import { Admission } from './admission.ts';
import { EventHub } from './events/event-hub.ts';
import { toEventFrame } from './events/frames.ts';
import { RunLog } from './events/run-log.ts';

const AGAIN_MS = 500;
const ENDS = /^runtime\.request\.(completed|failed|cancelled)\./;
const STARTS = 'runtime.request.started.';

/** Consumes the log and the deltas from now on, once per process, for everybody who watches. */
@Injectable()
export class GatewayHandlers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #stopping = new AbortController();
  readonly #reading = new Set<string>();
  #loops: Promise<void>[] = [];
  #readers = new Set<Reader>();

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    @Inject(LOG) private readonly log: Logger,
    @Inject(Health) private readonly health: Health,
    @Inject(EventHub) private readonly hub: EventHub,
    @Inject(RunLog) private readonly runLog: RunLog,
    @Inject(Admission) private readonly admission: Admission,
  ) {}

  onApplicationBootstrap(): void {
    this.#loops = [
      this.#keepReading('EVENTS', (message) => this.event(message)),
      this.#keepReading('DELTAS', (message) => this.delta(message)),
    ];
    for (const stream of ['EVENTS', 'DELTAS']) {
      this.health.add({
        name: stream.toLowerCase(),
        reason: () => (this.#reading.has(stream) ? undefined : `${stream} is not being read`),
      });
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#stopping.abort();
    this.hub.closeAll();
    await Promise.all([...this.#readers].map((reader) => reader.stop()));
    await Promise.all(this.#loops);
  }

  /** A message of EVENTS. A promise where its body has to be fetched first. */
  event(message: BusMessage): void | Promise<void> {
    const { subject, seq } = message;
    const requestId = parseEventSubject(subject)?.requestId;
    if (requestId === undefined || requestId === NO_REQUEST) return;
    this.hub.saw(requestId, seq);
    if (subject.startsWith(STARTS)) this.admission.began(requestId);
    else if (ENDS.test(subject)) this.admission.ended(requestId);
    if (!this.hub.isWatched(requestId)) return;
    if (!parseReference(message.data)) return this.#tell(message, true);
    return this.runLog.withBody(message).then((whole) => this.#tell(whole, true));
  }

  delta(message: BusMessage): void {
    const requestId = parseEventSubject(message.subject)?.requestId;
    if (requestId !== undefined && this.hub.isWatched(requestId)) this.#tell(message, false);
  }

  #tell(message: Parameters<typeof toEventFrame>[0], inLog: boolean): void {
    const told = toEventFrame(message, inLog);
    if (told) this.hub.publish(told);
  }

  /** Messages passed by unseen: who watches comes back for them, and what is open is no longer known. */
  #missed(stream: string): void {
    this.hub.closeAll();
    if (stream === 'EVENTS') this.admission.forget();
  }

  /** Reads until the service stops. Where a reader ends, whoever watches is sent away to come back behind its last event. */
  async #keepReading(stream: string, onMessage: (message: BusMessage) => void | Promise<void>): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        const reader = await orderedReader(this.bus, {
          stream,
          startSeq: 'new',
          onMessage,
          onGap: () => this.#missed(stream),
        });
        this.#missed(stream);
        this.#readers.add(reader);
        this.#reading.add(stream);
        if (signal.aborted) await reader.stop();
        await reader.closed.finally(() => this.#readers.delete(reader));
      } catch (error) {
        if (!signal.aborted) this.log.warn({ err: error, stream }, 'reading was interrupted');
      }
      this.#reading.delete(stream);
      this.hub.closeAll();
      await sleep(AGAIN_MS, undefined, { signal }).catch(() => {});
    }
  }
}
