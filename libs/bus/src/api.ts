/**
 * The public surface, declared before it is built, so that services can be written against it. Each declaration moves to the
 * file that implements it, under the same name.
 */
import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';
import type { Problem, ReinsError } from '@reins/contracts';

// connection ---------------------------------------------------------------------------------------------------------

export type BusAuth =
  | { readonly user: string; readonly password: string }
  | { readonly token: string }
  | { readonly nkeySeed: string }
  /** The text of a `.creds` file. */
  | { readonly credentials: string };

export interface BusSettings {
  readonly servers: string | readonly string[];
  /** Shown by `nats server report connections`: service and replica. */
  readonly name: string;
  readonly auth?: BusAuth;
  readonly tls?: { readonly caFile?: string; readonly certFile?: string; readonly keyFile?: string };
  readonly requestTimeoutMs?: number;
  readonly log?: BusLog;
}

/** What the bus says about itself. A pino logger fits as it is. */
export interface BusLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export type LinkState = 'connected' | 'disconnected' | 'closed';

export interface Bus {
  readonly name: string;
  readonly nc: NatsConnection;
  readonly js: JetStreamClient;
  readonly jsm: JetStreamManager;
  readonly log: BusLog;
  readonly state: LinkState;
  /** Tells every change of the link; answers with the function that ends the watch. */
  onState(listener: (state: LinkState) => void): () => void;
  /** Flushes what was published, then closes. Stop consumptions and publishers before. */
  close(): Promise<void>;
}

export declare function connectBus(settings: BusSettings): Promise<Bus>;

// topology -----------------------------------------------------------------------------------------------------------

export interface TopologySettings {
  readonly partitions: number;
  readonly replicas: 1 | 3 | 5;
  /** Runtime ids that get a durable of their own on `runtime.stage.requested`. */
  readonly runtimeIds: readonly string[];
  readonly limits?: {
    readonly eventsMaxBytes?: number;
    readonly eventsMaxAgeDays?: number;
    readonly deltasMaxAgeMinutes?: number;
  };
}

export interface TopologyChange {
  readonly kind: 'stream' | 'consumer' | 'bucket' | 'object-store';
  readonly name: string;
  readonly action: 'create' | 'update' | 'conflict';
  /** What differs, one line each: `max_age: 0 → 86400000000000`. */
  readonly details: readonly string[];
}

/** `self`: makes it so. `external`: changes nothing and throws `bus_topology_mismatch` when something is missing. */
export declare function provision(
  bus: Bus,
  options: TopologySettings & { readonly managed: 'self' | 'external' },
): Promise<TopologyChange[]>;
/** The durable of a runtime id, before a profile may name it. */
export declare function provisionRuntime(bus: Bus, runtimeId: string): Promise<TopologyChange[]>;
export declare function formatChanges(changes: readonly TopologyChange[]): string;
/** `workerDurable('runtime.plan.requested')`, `workerDurable('runtime.stage.requested', 'pi')` */
export declare function workerDurable(type: string, runtimeId?: string): string;

// publishing ---------------------------------------------------------------------------------------------------------

export interface EventHeaders {
  /** `ce-id` and `Nats-Msg-Id`. */
  readonly id: string;
  readonly type: string;
  readonly source: string;
  /** RFC 3339. */
  readonly time: string;
  readonly traceparent?: string;
  /** `reins-causation`: the id of the event that caused this one. */
  readonly causation?: string;
  /** `reins-version`: the journal entry that a fact follows from. */
  readonly version?: number;
  /** `reins-reply`: the inbox subject that an answer goes to. */
  readonly reply?: string;
}

export interface OutgoingMessage {
  readonly subject: string;
  readonly data: Uint8Array;
  readonly headers: EventHeaders;
  /** `Nats-Expected-Last-Subject-Sequence`; 0 = the first message of its subject. */
  readonly expectedLastSubjectSeq?: number;
}

export interface Stored {
  readonly stream: string;
  readonly seq: number;
  /** It was there already, under the same id. */
  readonly duplicate: boolean;
}

export type Acknowledged = (error: ReinsError | undefined, stored: Stored | undefined) => void;

export interface PublisherOptions {
  readonly windowMessages?: number;
  readonly windowBytes?: number;
  readonly ackTimeoutMs?: number;
}

export declare class OrderedPublisher {
  constructor(bus: Bus, options?: PublisherOptions);
  /** Sends in call order, at once or as soon as the window allows. False = the window is full: await `ready()` before the next. */
  publish(message: OutgoingMessage, done?: Acknowledged): boolean;
  /** Resolves when the window has room. */
  ready(): Promise<void>;
  /** Publishes all, resolves when all are acknowledged; rejects with the first refusal. */
  publishAll(messages: readonly OutgoingMessage[]): Promise<void>;
  /** Resolves when everything published so far is acknowledged or refused. */
  settled(): Promise<void>;
  readonly inFlight: number;
  close(): Promise<void>;
}

export interface AppendRequest {
  readonly subject: string;
  readonly data: Uint8Array;
  readonly msgId: string;
  readonly expectedLastSubjectSeq: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export type AppendResult =
  | { readonly outcome: 'stored'; readonly seq: number }
  | { readonly outcome: 'fenced'; readonly last: StoredMessage | undefined };

export declare class Appender {
  constructor(
    bus: Bus,
    options: { readonly stream: string; readonly window?: number; readonly giveUpAfterMs?: number },
  );
  /** Stored, or fenced by somebody else's message. Rejects only when that could not be found out (`bus_unavailable`) or was refused. */
  append(request: AppendRequest): Promise<AppendResult>;
  close(): Promise<void>;
}

// reading ------------------------------------------------------------------------------------------------------------

/** A message as it lies in a stream. */
export interface StoredMessage {
  readonly subject: string;
  readonly seq: number;
  readonly data: Uint8Array;
  readonly time: Date;
  /** `Nats-Msg-Id`, or an empty string. */
  readonly msgId: string;
  header(name: string): string | undefined;
}

/** All messages of one subject, in order; complete up to the last one that the leader has when the call is made. */
export declare function readSubject(
  bus: Bus,
  stream: string,
  subject: string,
  options?: { readonly fromSeq?: number },
): AsyncGenerator<StoredMessage>;
/** The last message of a subject, from the leader. */
export declare function lastOf(bus: Bus, stream: string, subject: string): Promise<StoredMessage | undefined>;

export interface ReaderOptions {
  readonly stream: string;
  /** First sequence to deliver; 1 = everything that is kept, `'new'` = from now on. */
  readonly startSeq: number | 'new';
  readonly filters?: readonly string[];
  /** Messages that may be on their way or not yet handled. */
  readonly prefetch?: number;
  /** A returned promise holds back the ones after it. */
  readonly onMessage: (message: StoredMessage) => void | Promise<void>;
  /** Messages that will never come: trimmed, or the stream was set back or replaced. The reader goes on behind the gap. */
  readonly onGap?: (gap: ReaderGap) => void;
}
export interface ReaderGap {
  readonly reason: 'trimmed' | 'rewound' | 'replaced';
  readonly expectedSeq: number;
  readonly nextSeq: number;
}
export interface Reader {
  /** Sequence of the last message handled. */
  readonly position: number;
  readonly closed: Promise<StopReason>;
  stop(): Promise<void>;
}
export declare function orderedReader(bus: Bus, options: ReaderOptions): Promise<Reader>;

// consuming ----------------------------------------------------------------------------------------------------------

export interface BusMessage extends StoredMessage {
  /** How often the server handed it out, this time included. */
  readonly deliveries: number;
  /** CloudEvents and Reins headers; fields that are missing are empty strings or undefined. */
  readonly event: EventHeaders;
  /** The parsed body. @throws ReinsError `message_invalid` */
  json(): unknown;
  /** Aborts when the consumption is stopped for good and the grace has run out, or the consumer is gone. */
  readonly signal: AbortSignal;
}

export interface RetryPolicy {
  /** Wait before the n-th redelivery; the last one repeats. */
  readonly delaysMs: readonly number[];
  /** Failed tries after which the message is dead; crashes of the process count. */
  readonly maxTries: number;
}

export interface ConsumeOptions {
  readonly stream: string;
  readonly durable: string;
  /** Handlers at once; also what is asked of the server. */
  readonly concurrency: number;
  readonly handler: (message: BusMessage) => void | Promise<void>;
  /** Messages with the same key are handled one after the other, in stream order. */
  readonly orderBy?: (message: BusMessage) => string;
  readonly retry?: Partial<RetryPolicy>;
  /** Called before a message goes to DEAD: whoever dead-letters a live effect also answers `failed`. */
  readonly onDead?: (message: BusMessage, problem: Problem) => void | Promise<void>;
}

export type StopReason = 'stopped' | 'consumer_gone' | 'stream_gone' | 'connection_closed';

export interface Consumption {
  /** Messages taken and not yet finished. */
  readonly taken: number;
  /** Free and busy slots follow `concurrency`; may be changed while running. */
  resize(concurrency: number): void;
  /** Phase one: takes nothing more, hands back what has not begun. */
  pause(): void;
  /** Both phases: pauses, waits for the handlers that run (at most `graceMs`), ends. */
  stop(options?: { readonly graceMs?: number }): Promise<void>;
  readonly closed: Promise<StopReason>;
}
export declare function consume(bus: Bus, options: ConsumeOptions): Promise<Consumption>;

/** Thrown by a handler: the message can never be handled, so it goes to DEAD at once. Any non-retryable ReinsError does the same. */
export declare function isPermanent(error: unknown): boolean;

// partitions ---------------------------------------------------------------------------------------------------------

export interface Lease {
  readonly partition: number;
  /** The fencing token: higher for every new ownership. */
  readonly epoch: number;
  /** By this process's own monotonic clock; false long before another replica can win it. */
  readonly valid: boolean;
  /** Aborts when the lease is lost or handed over. */
  readonly signal: AbortSignal;
}

export interface LeaseHandlers {
  /** The partition is ours from now on. */
  readonly won: (lease: Lease) => void | Promise<void>;
  /** Asked to give it up: finish what runs, then resolve; only then is it released to the next owner. */
  readonly handover: (lease: Lease) => void | Promise<void>;
  /** It is gone already: drop everything, append nothing. */
  readonly lost: (lease: Lease) => void;
}

export declare class PartitionLeases {
  constructor(
    bus: Bus,
    options: {
      readonly replica: string;
      readonly partitions: number;
      readonly ttlMs?: number;
      readonly handlers: LeaseHandlers;
    },
  );
  start(): Promise<void>;
  readonly held: readonly Lease[];
  /** Asks the bucket's leader whether this very lease still stands. */
  verify(lease: Lease): Promise<boolean>;
  /** Hands everything over and leaves. */
  stop(): Promise<void>;
}

/** The takeover rule: verifies the lease, removes durables of lower epochs, creates `p<p>-e<epoch>`, consumes it in order per run. */
export declare function consumeInbox(
  bus: Bus,
  options: Omit<ConsumeOptions, 'stream' | 'durable' | 'orderBy'> & {
    readonly lease: Lease;
    readonly leases: PartitionLeases;
  },
): Promise<Consumption>;

// key-value ----------------------------------------------------------------------------------------------------------

export interface Entry<T> {
  readonly key: string;
  readonly value: T;
  readonly revision: number;
}

/** A bucket of JSON values. Keys are subject-safe tokens. */
export interface TypedBucket<T> {
  get(key: string): Promise<Entry<T> | undefined>;
  /** Undefined when the key exists. */
  create(key: string, value: T, ttlMs?: number): Promise<number | undefined>;
  put(key: string, value: T, ttlMs?: number): Promise<number>;
  /** Compare-and-set; undefined when `revision` is not the current one. Keeps the TTL alive when one is given. */
  update(key: string, value: T, revision: number, ttlMs?: number): Promise<number | undefined>;
  delete(key: string, revision?: number): Promise<boolean>;
  keys(filter?: string): Promise<string[]>;
  /** Every value now (unless `changesOnly`), then every change; `undefined` = removed or expired. */
  watch(
    options: { readonly filter?: string; readonly changesOnly?: boolean },
    listener: (key: string, entry: Entry<T> | undefined) => void,
  ): Promise<Watch>;
}
export interface Watch {
  stop(): void;
}
export type BucketName = 'leases' | 'claims' | 'controls' | 'harnesses' | 'requests' | 'sessions' | 'keys';
export declare function openBucket<T>(bus: Bus, bucket: BucketName): Promise<TypedBucket<T>>;

export interface Claim {
  readonly attempt: number;
  readonly host: string;
  readonly state: 'working' | 'answered';
  readonly answerRef?: string;
}
export type ClaimOutcome =
  | { readonly outcome: 'taken'; readonly held: HeldClaim }
  /** Somebody works on this attempt or a later one. */
  | { readonly outcome: 'busy'; readonly claim: Claim }
  /** This attempt was claimed once and its holder is gone: answer `unknown`. */
  | { readonly outcome: 'expired'; readonly claim: Claim }
  /** Send the stored answer again. */
  | { readonly outcome: 'answered'; readonly claim: Claim };
export interface HeldClaim {
  readonly effectId: string;
  readonly attempt: number;
  /** Aborts when a renewal was late by the own monotonic clock, or refused. */
  readonly signal: AbortSignal;
  /** Keeps the answer for repeats and stops the heartbeat. */
  answered(answerRef: string): Promise<void>;
  release(): Promise<void>;
}
export declare class Claims {
  static open(bus: Bus, options: { readonly host: string; readonly ttlMs?: number }): Promise<Claims>;
  take(effectId: string, attempt: number): Promise<ClaimOutcome>;
  get(effectId: string): Promise<Claim | undefined>;
  forget(effectId: string): Promise<void>;
}

/** What goes down to a running stage, oldest first; each has an id that the host remembers. */
export interface ControlMessage {
  readonly id: string;
  readonly kind: 'answer' | 'approval' | 'cancel' | 'compact' | 'nudge';
  readonly body?: unknown;
}
export declare class Controls {
  static open(bus: Bus): Promise<Controls>;
  send(effectId: string, message: ControlMessage): Promise<void>;
  /** Each message once, in order, also those sent before the watch began. */
  watch(effectId: string, listener: (message: ControlMessage) => void): Promise<Watch>;
  clear(effectId: string): Promise<void>;
}

// timers -------------------------------------------------------------------------------------------------------------

export interface TimerRequest {
  /** `schedule.<p>.<ws>.<run>.<effect>`: one timer each. */
  readonly subject: string;
  /** The inbox subject that `timer.due` goes to. */
  readonly target: string;
  readonly due: Date;
  readonly data: Uint8Array;
  readonly headers: EventHeaders;
}
export declare class Timers {
  constructor(bus: Bus, options: { readonly publisher: OrderedPublisher; readonly inMemoryBelowMs?: number });
  /** Setting it again replaces it. Up to 30 s it lives in this process (the journal brings it back), beyond that in the stream. */
  set(timer: TimerRequest): Promise<void>;
  /** True = it will not fire; false = it has fired (or was never set). */
  cancel(subject: string): Promise<boolean>;
  close(): void;
}

// blobs --------------------------------------------------------------------------------------------------------------

export interface BlobRef {
  readonly sha256: string;
  readonly size: number;
}
export declare class Blobs {
  static open(bus: Bus, store?: 'blobs' | 'artifacts' | 'archive'): Promise<Blobs>;
  /** Uploads nothing when it is there already. */
  put(bytes: Uint8Array): Promise<BlobRef>;
  putStream(source: AsyncIterable<Uint8Array>): Promise<BlobRef>;
  has(sha256: string): Promise<boolean>;
  /** Verified by its hash. @throws ReinsError `blob_not_found` | `blob_corrupt` */
  get(ref: string | BlobRef): Promise<Uint8Array>;
  /** Verified at its end: the last chunk comes only when the hash is right. */
  stream(ref: string | BlobRef): AsyncIterable<Uint8Array>;
  remove(sha256: string): Promise<boolean>;
  list(): AsyncIterable<BlobRef & { readonly modified: Date }>;
}
/** The body itself up to the limit (64 KiB), `{ "$blob": { sha256, size } }` beyond it. */
export declare function externalise(blobs: Blobs, body: Uint8Array, limit?: number): Promise<Uint8Array>;
export declare function inline(blobs: Blobs, body: Uint8Array): Promise<Uint8Array>;

// dead letters -------------------------------------------------------------------------------------------------------

export interface DeadLetter {
  readonly seq: number;
  readonly time: Date;
  readonly stream: string;
  readonly subject: string;
  readonly originalSeq: number;
  readonly deliveries: number;
  readonly problem: Problem;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly data: Uint8Array;
}
export declare class DeadLetters {
  constructor(bus: Bus);
  list(options?: {
    readonly stream?: string;
    readonly afterSeq?: number;
    readonly limit?: number;
  }): Promise<DeadLetter[]>;
  show(seq: number): Promise<DeadLetter | undefined>;
  /** Publishes the message on its first subject again, under a new message id, and removes it from DEAD. */
  redrive(seq: number): Promise<Stored>;
  remove(seq: number): Promise<boolean>;
}
