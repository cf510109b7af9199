import { Injectable } from '@nestjs/common';
import { type BusMessage, parseReference } from '@reins/bus';
import { NO_REQUEST, parseEventSubject } from '@reins/contracts';
import { type LogReading, METRICS, OnLog } from '@reins/service-kit';
import { Admission } from './admission.ts';
import { EventHub } from './events/event-hub.ts';
import { toEventFrame } from './events/frames.ts';
import { RunLog } from './events/run-log.ts';
import { RequestRecords } from './requests/request-records.ts';

const ENDS = /^runtime\.request\.(completed|failed|cancelled)\./;
const STARTS = 'runtime.request.started.';

/**
 * Fans the event log and the deltas out to all watching clients; each is read once per process. When messages may have
 * been missed, the clients are disconnected: they reconnect and resume after their last event.
 */
@Injectable()
export class GatewayHandlers {
  constructor(
    private readonly hub: EventHub,
    private readonly runLog: RunLog,
    private readonly admission: Admission,
    private readonly records: RequestRecords,
  ) {}

  /** Returns a promise when the body of the message must be loaded from the blob store. */
  @OnLog<GatewayHandlers>('EVENTS', {
    position: 'new',
    gaps: METRICS.gatewayGaps,
    onMissed: (handlers) => handlers.eventsMissed(),
    requiredForReadiness: true,
  })
  event(message: BusMessage, { created }: LogReading): void | Promise<void> {
    const { subject, seq } = message;
    const requestId = parseEventSubject(subject)?.requestId;
    if (requestId === undefined || requestId === NO_REQUEST) return;
    this.hub.recordSeq(requestId, seq);
    if (subject.startsWith(STARTS)) this.admission.opened(requestId);
    else if (ENDS.test(subject)) this.admission.closed(requestId);
    if (!this.hub.isWatched(requestId)) return;
    if (!parseReference(message.data)) return this.#publish(message, created);
    return this.runLog.withBody(message).then((whole) => this.#publish(whole, created));
  }

  @OnLog<GatewayHandlers>('DELTAS', {
    position: 'new',
    gaps: METRICS.gatewayGaps,
    onMissed: (handlers) => handlers.deltasMissed(),
    requiredForReadiness: true,
  })
  delta(message: BusMessage): void {
    const requestId = parseEventSubject(message.subject)?.requestId;
    if (requestId !== undefined && this.hub.isWatched(requestId)) this.#publish(message, undefined);
  }

  /** After a gap, nothing that was remembered is certain. The log may have been rolled back to a state before it. */
  eventsMissed(): void {
    this.hub.closeAll();
    this.hub.forgetSeqs();
    this.records.forgetRecent();
    this.admission.reset();
  }

  deltasMissed(): void {
    this.hub.closeAll();
  }

  #publish(...of: Parameters<typeof toEventFrame>): void {
    const frame = toEventFrame(...of);
    if (frame) this.hub.publish(frame);
  }
}
