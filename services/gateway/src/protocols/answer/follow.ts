import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { EventHub } from '../../events/event-hub.ts';
import { type EventFrame, toEventFrame } from '../../events/frames.ts';
import { RunLog } from '../../events/run-log.ts';
import { RunStream, type StreamEnd, type StreamSink } from '../../events/run-stream.ts';
import { GatewayService } from '../../gateway.service.ts';
import type { AcceptedRequest } from '../../requests/request-records.ts';

/** The receiver of the events of a request. */
export interface Follower extends Pick<StreamSink, 'event' | 'heartbeat' | 'pendingBytes' | 'drained'> {
  /** All past events were received; the following ones are new. */
  caughtUp(): void;
}

/** Why following a request ended: with the request, by the signal, or because the follower is too slow. */
export type FollowEnd = 'ended' | 'stopped' | 'too_slow';

/** How long to wait before the events are read again after an interruption. */
const RETRY_MS = 200;
const PAGE = 500;

interface Attempt {
  readonly reason: FollowEnd | 'interrupted';
  readonly lastSeq: number;
}

/** Follows the events of requests across lost connections to the log: without gaps, except for deltas. */
@Injectable()
export class RequestEvents {
  constructor(
    private readonly hub: EventHub,
    private readonly log: RunLog,
    private readonly gateway: GatewayService,
  ) {}

  /** The sequence of the last event of the log: events after it are new. */
  lastSeq(): Promise<number> {
    return this.log.lastSeq();
  }

  /** The past events of a request. */
  async *past(request: AcceptedRequest, afterSeq: number): AsyncGenerator<EventFrame> {
    for (let after = afterSeq, more = true; more; ) {
      const page = await this.log.page(request, after, PAGE);
      for (const message of page.items) {
        const frame = toEventFrame(message, page.created);
        if (frame) yield frame;
      }
      ({ more, upTo: after } = page);
    }
  }

  /** Resolves when the request has ended and its events were received, or when the signal aborts. */
  async follow(
    request: AcceptedRequest,
    follower: Follower,
    { signal, afterSeq = 0 }: { readonly signal: AbortSignal; readonly afterSeq?: number },
  ): Promise<FollowEnd> {
    let lastSeq = afterSeq;
    while (!signal.aborted) {
      const attempt = await this.#attempt(request, follower, lastSeq, signal);
      if (attempt.reason !== 'interrupted') return attempt.reason;
      lastSeq = attempt.lastSeq;
      await delay(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
    return 'stopped';
  }

  async #attempt(run: AcceptedRequest, follower: Follower, afterSeq: number, signal: AbortSignal): Promise<Attempt> {
    let lastSeq = afterSeq;
    const { promise, resolve } = Promise.withResolvers<Attempt['reason']>();
    const sink: StreamSink = {
      event: (event: EventFrame) => {
        lastSeq = event.seq ?? lastSeq;
        follower.event(event);
      },
      heartbeat: () => follower.heartbeat(),
      get pendingBytes() {
        return follower.pendingBytes;
      },
      drained: () => follower.drained(),
      end: (reason: StreamEnd) => resolve(reason),
      abort: () => resolve('too_slow'),
    };
    const ended = await this.gateway.isClosed(run).catch(() => undefined);
    if (ended === undefined) return { reason: 'interrupted', lastSeq };
    const stream = new RunStream(this.hub, this.log, sink, { run, afterSeq, deltas: true, ended });
    const stop = (): void => {
      resolve('stopped');
      stream.close('interrupted');
    };
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    this.#start(stream, run, follower).catch(() => stream.close('interrupted'));
    const reason = await promise;
    signal.removeEventListener('abort', stop);
    return { reason, lastSeq };
  }

  /** Sends the stored deltas, the past events, and the deltas since then. The new events follow. */
  async #start(stream: RunStream, run: AcceptedRequest, follower: Follower): Promise<void> {
    const last = await this.#sendDeltas(run, follower, 0);
    await stream.start();
    await this.#sendDeltas(run, follower, last);
    follower.caughtUp();
  }

  /** Sends the deltas that are still stored. Returns the sequence of the last one. */
  async #sendDeltas(run: AcceptedRequest, follower: Follower, afterSeq: number): Promise<number> {
    let last = afterSeq;
    for await (const message of this.log.deltas(run, afterSeq)) {
      const frame = toEventFrame(message, undefined);
      if (frame) follower.event(frame);
      last = message.seq;
    }
    return last;
  }
}
