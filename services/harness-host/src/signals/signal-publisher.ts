import { randomBytes } from 'node:crypto';
import { type Blobs, EventPublisher, externalise, type OrderedPublisher, type OutgoingMessage } from '@reins/bus';
import {
  type AdapterEvent,
  eventSubject,
  type JsonValue,
  type ReinsError,
  type RuntimeAdapterEvent,
  type RuntimeStageRequested,
  type RuntimeToolDenied,
  subjectTypeOf,
  type TraceHeaders,
} from '@reins/contracts';
import type { Denial } from '@reins/tool-gateway';
import type { Redactor } from '../secrets/redactor.ts';
import { DeltaStream } from './delta-stream.ts';

export interface SignalParts {
  readonly publisher: OrderedPublisher;
  readonly blobs: Blobs;
  readonly redactor: Redactor;
  readonly source: string;
  /** The id of the request that caused the signals. */
  readonly causation: string;
  readonly trace?: TraceHeaders | undefined;
  /** How many signals of the attempt were published before it was suspended. */
  readonly published?: number;
}

const DELTA_PHASES = ['agent.thinking.delta', 'agent.output.delta'] as const;
type DeltaPhase = (typeof DELTA_PHASES)[number];

const isDelta = (phase: string | undefined): phase is DeltaPhase => DELTA_PHASES.some((delta) => delta === phase);

/**
 * Publishes the signals of one stage run in order, numbered without gaps, with secrets redacted. The first text delta
 * is published immediately; later ones are batched until it is stored. So a busy bus gets fewer and larger messages.
 * It does not wait until a signal is durable before it sends the next one, so it publishes the envelopes itself.
 */
export class AdapterEventPublisher {
  readonly #request: RuntimeStageRequested;
  readonly #parts: SignalParts;
  readonly #events: EventPublisher;
  /** Part of the ids: after a restore, the same attempt may be executed again, with other signals. */
  readonly #execution = randomBytes(6).toString('hex');
  #facts = 0;
  readonly #streams: Readonly<Record<DeltaPhase, DeltaStream>>;
  #seq: number;
  #lastPhase: DeltaPhase | undefined;
  #adapter = '';
  /** Whether text is waiting to be published. */
  #hasText = false;
  /** The number of text messages that are not acknowledged yet. */
  #inFlight = 0;
  #scheduled: NodeJS.Immediate | undefined;
  #sending: Promise<void> = Promise.resolve();
  #error: ReinsError | undefined;

  constructor(request: RuntimeStageRequested, parts: SignalParts) {
    this.#request = request;
    this.#parts = parts;
    this.#events = new EventPublisher(parts);
    this.#seq = parts.published ?? 0;
    this.#streams = {
      'agent.thinking.delta': new DeltaStream(parts.redactor),
      'agent.output.delta': new DeltaStream(parts.redactor),
    };
  }

  /** How many signals of the attempt were published, without text that is not published yet. */
  get count(): number {
    return this.#seq;
  }

  accept(signal: AdapterEvent): void {
    const { phase } = signal;
    this.#adapter = signal.adapter;
    if (!isDelta(phase)) {
      this.#flush('all');
      this.#publish(signal);
      return;
    }
    if (this.#lastPhase !== phase) this.#flush('all');
    this.#lastPhase = phase;
    this.#streams[phase].push(signal.text ?? '');
    this.#hasText = true;
    this.#publishSoon();
  }

  /** Publishes a denied call, after the signals so far. */
  denied({ toolId, callId, policyId, reason }: Denial): void {
    this.#flush('all');
    const type = 'runtime.tool.denied';
    const { requestId, sessionId, agentId, workspaceId } = this.#request;
    const { redactor, causation, trace } = this.#parts;
    const fields = redactor.value({ toolId, policyId, reason, ...(callId !== undefined && { callId }) });
    const body = { type, requestId, sessionId, agentId, workspaceId, ...fields } as unknown as RuntimeToolDenied;
    this.#facts += 1;
    const id = `${causation}.${this.#execution}.f${this.#facts}`;
    const subject = eventSubject({ type, workspaceId, requestId });
    const message = this.#events.envelope({ id, subject, body, causation, ...trace });
    this.#sending = this.#sending.then(() => this.#send(message, undefined));
  }

  /** Schedules one message for all text of this turn of the event loop. */
  #publishSoon(): void {
    if (this.#hasText && this.#inFlight === 0) this.#scheduled ??= setImmediate(() => this.#flush('open'));
  }

  /**
   * Resolves when every signal is stored.
   * @throws ReinsError the first error of the publisher
   */
  async settled(): Promise<void> {
    this.#flush('all');
    await this.#sending;
    await this.#parts.publisher.settled();
    if (this.#error) throw this.#error;
  }

  #flush(mode: 'open' | 'all'): void {
    clearImmediate(this.#scheduled);
    this.#scheduled = undefined;
    this.#hasText = false;
    for (const phase of DELTA_PHASES) {
      const text = mode === 'all' ? this.#streams[phase].drain() : this.#streams[phase].take();
      if (text !== '') this.#publish({ adapter: this.#adapter, phase, text });
    }
  }

  #publish(signal: AdapterEvent): void {
    const type = 'runtime.adapter.event';
    const { requestId, sessionId, agentId, workspaceId, stage, effectId, attempt } = this.#request;
    this.#seq += 1;
    const event = this.#parts.redactor.value(signal as unknown as JsonValue) as unknown as AdapterEvent;
    const body: RuntimeAdapterEvent = {
      type,
      requestId,
      sessionId,
      agentId,
      workspaceId,
      event,
      stage,
      effectId,
      attempt,
      seq: this.#seq,
    };
    const { causation, trace } = this.#parts;
    const id = `${causation}.${this.#execution}.s${this.#seq}`;
    const subject = eventSubject({ type: subjectTypeOf(body), workspaceId, requestId });
    const message = this.#events.envelope({ id, subject, body, causation, ...trace });
    const onAcknowledged = isDelta(signal.phase) ? this.#countText() : undefined;
    this.#sending = this.#sending.then(() => this.#send(message, onAcknowledged));
  }

  /** Counts a text message as in flight. Call the returned function when it is acknowledged. */
  #countText(): () => void {
    this.#inFlight += 1;
    return () => {
      this.#inFlight -= 1;
      this.#publishSoon();
    };
  }

  async #send(message: OutgoingMessage, onAcknowledged: (() => void) | undefined): Promise<void> {
    if (this.#error) return;
    const { publisher, blobs } = this.#parts;
    try {
      const data = await externalise(blobs, message.data);
      const hasRoom = publisher.publish({ ...message, data }, (error) => {
        this.#error ??= error;
        onAcknowledged?.();
      });
      if (!hasRoom) await publisher.ready();
    } catch (error) {
      this.#error ??= error as ReinsError;
    }
  }
}
