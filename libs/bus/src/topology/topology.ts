import {
  AckPolicy,
  type ConsumerConfig,
  DeliverPolicy,
  DiscardPolicy,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/nats-core';
import { type Channel, channelOf, DIRECTIVES_SUBJECT, EVENT_TYPES } from '@reins/contracts';
import {
  BUCKET_NAMES,
  bucketStream,
  COMMAND_OWNERS,
  commandDurable,
  MEMORY_LOG,
  OBJECT_STORE_NAMES,
  objectStoreStream,
  STAGE_WORK_TYPE,
  WORK_TYPES,
  workerDurable,
  workerFilter,
} from './names.ts';

export interface TopologySettings {
  readonly partitions: number;
  readonly replicas: 1 | 3 | 5;
  /** Runtime ids that get a durable on `runtime.stage.requested`. */
  readonly runtimeIds: readonly string[];
  /** Days until the events of EVENTS are removed. Default: `EVENTS_MAX_AGE_DAYS`. */
  readonly eventsMaxAgeDays?: number;
}

export type StreamDeclaration = Partial<StreamConfig> & { readonly name: string; readonly subjects: string[] };
export type ConsumerDeclaration = Partial<ConsumerConfig> & { readonly durable_name: string };

/** The streams and consumers of an installation. */
export interface Topology {
  readonly streams: readonly {
    readonly kind: 'stream' | 'bucket' | 'object-store';
    readonly config: StreamDeclaration;
  }[];
  readonly consumers: readonly { readonly stream: string; readonly config: ConsumerDeclaration }[];
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Costs the server about 240 bytes of memory per message id. */
const DUPLICATE_WINDOW_MS = 2 * MINUTE_MS;
const MARKER_TTL_MS = 1_000;
/** Output is read while it is written. Its stage stores the whole text when it ends. */
const DELTAS_MAX_AGE_MS = 5 * MINUTE_MS;
const DELTAS_MAX_BYTES = 128 * 1024 ** 2;
/** Events that are older are removed, unless the installation sets another age. */
export const EVENTS_MAX_AGE_DAYS = 90;

/** Time after which an unacknowledged message without progress signals is redelivered. */
export const WORKER_ACK_WAIT_MS = 10_000;
/**
 * Workers request only what they have free slots for, so that slots limit what is taken. At a limit of the server, a
 * durable would deliver no more work to free hosts. One durable serves 100,000 taken messages; several cost more.
 */
const UNLIMITED_ACK_PENDING = -1;

/** Event types of one channel. */
const typesOf = (channel: Channel): string[] => EVENT_TYPES.filter((type) => channelOf(type) === channel);

/**
 * `agent.>` without the deltas. A stream cannot exclude subjects and two streams cannot share one, so EVENTS lists its
 * subjects by family: `agent.tool.>`.
 */
const SIGNAL_SUBJECTS = [...new Set(typesOf('signal').map((type) => `${type.split('.').slice(0, 2).join('.')}.>`))];
const DELTA_SUBJECTS = typesOf('delta').map((type) => `${type}.>`);

export function declareTopology(settings: TopologySettings): Topology {
  const replicated = (config: StreamDeclaration): StreamDeclaration => ({ ...config, num_replicas: settings.replicas });
  return {
    streams: [
      ...streams(settings).map((config) => ({ kind: 'stream' as const, config: replicated(config) })),
      ...BUCKET_NAMES.map((name) => ({
        kind: 'bucket' as const,
        config: replicated(bucket(bucketStream(name), name)),
      })),
      ...OBJECT_STORE_NAMES.map((name) => ({
        kind: 'object-store' as const,
        config: replicated(objectStore(objectStoreStream(name), name)),
      })),
    ],
    consumers: [
      ...WORK_TYPES.map((type) => workerConsumer(type)),
      ...settings.runtimeIds.map((runtimeId) => workerConsumer(STAGE_WORK_TYPE, runtimeId)),
      ...COMMAND_OWNERS.map((owner) => queueConsumer('COMMANDS', commandDurable(owner), `command.${owner}.>`)),
    ],
  };
}

function streams({ eventsMaxAgeDays = EVENTS_MAX_AGE_DAYS }: TopologySettings): StreamDeclaration[] {
  const onDisk = { storage: StorageType.File, allow_direct: true, duplicate_window: nanos(DUPLICATE_WINDOW_MS) };
  const log = { ...onDisk, retention: RetentionPolicy.Limits, discard: DiscardPolicy.New };
  const queue = { ...onDisk, retention: RetentionPolicy.Workqueue, discard: DiscardPolicy.Old };
  return [
    {
      ...log,
      name: 'EVENTS',
      description: 'facts, signals and directives: the public log, in one order',
      subjects: ['runtime.>', ...SIGNAL_SUBJECTS, `${DIRECTIVES_SUBJECT}.*.*`],
      // The limit of its size is the operator's.
      max_age: nanos(eventsMaxAgeDays * DAY_MS),
      republish: { src: `${DIRECTIVES_SUBJECT}.*.*`, dest: DIRECTIVES_SUBJECT },
    },
    {
      name: 'DELTAS',
      description: 'output as it is written; the whole text is in the completion of its stage',
      subjects: DELTA_SUBJECTS,
      // On file: a standalone server loses in-memory streams, including their configuration, when it stops.
      storage: StorageType.File,
      retention: RetentionPolicy.Limits,
      discard: DiscardPolicy.Old,
      allow_direct: true,
      max_age: nanos(DELTAS_MAX_AGE_MS),
      max_bytes: DELTAS_MAX_BYTES,
    },
    { ...log, name: 'JOURNAL', description: 'the journals of the runs', subjects: ['journal.>'] },
    {
      ...queue,
      name: 'INBOX',
      description: 'commands, answers and due timers, by partition',
      subjects: ['inbox.>', 'held.>', 'schedule.>'],
      allow_msg_schedules: true,
      allow_rollup_hdrs: true,
    },
    {
      ...queue,
      name: 'COMMANDS',
      description: 'work for the services that own it',
      subjects: COMMAND_OWNERS.map((owner) => `command.${owner}.>`),
    },
    { ...log, name: 'DEAD', description: 'what could not be handled', subjects: ['dead.>'] },
    { ...log, name: 'MEMORY', description: 'the changes of memory, by namespace', subjects: [`${MEMORY_LOG}.>`] },
  ];
}

/** The stream configuration of a NATS key-value bucket. */
function bucket(stream: string, name: string): StreamDeclaration {
  return {
    name: stream,
    subjects: [`$KV.${name}.>`],
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.New,
    max_msgs_per_subject: 1,
    allow_rollup_hdrs: true,
    allow_direct: true,
    deny_delete: true,
    allow_msg_ttl: true,
    // A lower bound for every TTL, so it is the smallest value that the server accepts.
    subject_delete_marker_ttl: nanos(MARKER_TTL_MS),
    duplicate_window: nanos(DUPLICATE_WINDOW_MS),
  };
}

/** The stream configuration of a NATS object store. */
function objectStore(stream: string, name: string): StreamDeclaration {
  return {
    name: stream,
    subjects: [`$O.${name}.C.>`, `$O.${name}.M.>`],
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.New,
    allow_rollup_hdrs: true,
    allow_direct: true,
  };
}

/**
 * The durable that all workers of one type share. It starts with new messages: it is created before anyone requests its
 * work, and a recreated durable must not repeat all past work.
 */
export function workerConsumer(type: string, runtimeId?: string): { stream: string; config: ConsumerDeclaration } {
  const { stream, config } = queueConsumer('EVENTS', workerDurable(type, runtimeId), workerFilter(type, runtimeId));
  return { stream, config: { ...config, deliver_policy: DeliverPolicy.New } };
}

/** Unlimited deliveries: the handler counts failures, so nothing is dropped. */
function queueConsumer(
  stream: string,
  durable: string,
  filter: string,
): { stream: string; config: ConsumerDeclaration } {
  return {
    stream,
    config: {
      durable_name: durable,
      filter_subject: filter,
      deliver_policy: DeliverPolicy.All,
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(WORKER_ACK_WAIT_MS),
      max_ack_pending: UNLIMITED_ACK_PENDING,
      max_deliver: -1,
    },
  };
}
