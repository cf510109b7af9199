import {
  commandDurable,
  MEMORY_CALLS,
  MEMORY_LOG,
  PROVIDER_PAUSES,
  REBUILD_PROGRESS,
  STAGE_WORK_TYPE,
  workerDurable,
} from '@reins/bus';
import { DIRECTIVES_SUBJECT } from '@reins/contracts';
import type { ServiceName } from '../boot/service-definition.ts';
import type { NatsUser } from './users.ts';

/** What a user does on the bus. */
export interface Access {
  /** Subjects that it publishes on. */
  readonly publishes: readonly string[];
  /** Streams of which it reads single messages, and the state. */
  readonly reads: readonly string[];
  /** Streams that it reads in order, through consumers of its own. */
  readonly follows?: readonly string[];
  /** Durables that it consumes. */
  readonly consumes?: readonly Work[];
  /** Subjects that it reads as they are published, without a consumer. */
  readonly listens?: readonly string[];
  /** Other requests to the JetStream API. */
  readonly api?: readonly string[];
}

/** A durable that a user consumes, and the messages that it can dead-letter. */
export interface Work {
  readonly stream: string;
  readonly durable: string;
  readonly filter: string;
}

/** Everything that the public log holds, and its republished directives. */
export const EVENT_SUBJECTS: readonly string[] = [
  'runtime.>',
  'agent.>',
  DIRECTIVES_SUBJECT,
  `${DIRECTIVES_SUBJECT}.>`,
];

/** Subjects of events that a service other than the control bus publishes. */
export const OWN_EVENTS = {
  // Signals have the subject of their phase, and those without a phase that of an adapter event.
  'harness-host': ['agent.>', 'runtime.harness.>', 'runtime.adapter.event.>', 'runtime.tool.denied.>'],
  narrator: ['runtime.progress.narration.>'],
} as const;

/** The calls that each service responds to, and the users that make them. */
export const SERVED_CALLS = {
  memory: { subject: `${MEMORY_CALLS}.*`, callers: ['gateway'] },
} as const satisfies Partial<Record<ServiceName, ServedCalls>>;

/** Calls that a service responds to. */
export interface ServedCalls {
  readonly subject: string;
  readonly callers: readonly ServiceName[];
}

/** The calls that a user responds to; undefined if there are none. */
export const callsServedBy = (user: NatsUser): ServedCalls | undefined =>
  (SERVED_CALLS as Partial<Record<NatsUser, ServedCalls>>)[user];

/** The streams that `subscriber` reads single messages of. */
export const PUBLIC_STREAMS = ['EVENTS', 'DELTAS'] as const;

const BLOBS = 'OBJ_blobs';
const CLAIMS = '$KV.claims.*';
const PUT_BLOBS = '$O.blobs.>';
const WORKS = ['EVENTS', 'KV_claims', BLOBS];

const work = (type: string): Work => ({ stream: 'EVENTS', durable: workerDurable(type), filter: `${type}.>` });

/** Subjects that a user reads as they are published. The operator reads every subject anyway. */
export function listensOf(user: NatsUser): readonly string[] {
  if (user === 'operator') return [];
  return user === 'subscriber' ? EVENT_SUBJECTS : (accessOf(user, []).listens ?? []);
}

/** What each service does. A new use of the bus is declared here; otherwise the server refuses it. */
export function accessOf(service: ServiceName, runtimeIds: readonly string[]): Access {
  return service === 'harness-host' ? harnessHost(runtimeIds) : ACCESS[service];
}

const harnessHost = (runtimeIds: readonly string[]): Access => ({
  publishes: [
    'inbox.*.runtime.stage.>',
    'inbox.*.effect.progress.>',
    ...OWN_EVENTS['harness-host'],
    CLAIMS,
    '$KV.claims.beat.*.*',
    // What the stages of a request and of its child runs use of their budget.
    '$KV.claims.budget.*.*',
    '$KV.harnesses.>',
    PROVIDER_PAUSES,
    PUT_BLOBS,
  ],
  reads: [...WORKS, 'KV_harnesses', 'KV_controls'],
  // The hosts of an installation share the limits of its providers.
  follows: ['KV_harnesses'],
  // A later claim ends an earlier attempt, and the owner of a run controls its stages. Servers end with their request.
  listens: [CLAIMS, '$KV.controls.*', 'runtime.request.*.*.*', PROVIDER_PAUSES],
  consumes: runtimeIds.map((runtimeId) => ({
    stream: 'EVENTS',
    durable: workerDurable(STAGE_WORK_TYPE, runtimeId),
    filter: `${STAGE_WORK_TYPE}.>`,
  })),
});

const ACCESS: Readonly<Record<Exclude<ServiceName, 'harness-host'>, Access>> = {
  gateway: {
    publishes: ['inbox.*.command.>', '$KV.requests.>', PUT_BLOBS, SERVED_CALLS.memory.subject],
    // Journals contain what a request that is retried was submitted with; positions say why a request is parked.
    // Sessions say whether they have expired.
    reads: ['EVENTS', 'DELTAS', 'DEAD', 'KV_requests', 'KV_sessions', 'KV_positions', 'JOURNAL', 'OBJ_archive', BLOBS],
    follows: ['EVENTS', 'DELTAS', 'KV_keys', 'KV_harnesses'],
    // It counts the commands that wait for a run.
    api: ['STREAM.INFO.INBOX'],
  },
  'plan-compiler': {
    publishes: ['inbox.*.runtime.plan.>', PUT_BLOBS],
    reads: WORKS,
    consumes: [work('runtime.plan.requested')],
  },
  'runner-prep': {
    publishes: ['inbox.*.runtime.prepare.>', PUT_BLOBS],
    reads: WORKS,
    follows: ['KV_harnesses'],
    consumes: [work('runtime.prepare.requested')],
  },
  'control-bus': {
    publishes: [
      'journal.>',
      'inbox.>',
      'held.>',
      'schedule.>',
      'runtime.>',
      `${DIRECTIVES_SUBJECT}.>`,
      ...['leases', 'controls', 'sessions', 'positions'].map((bucket) => `$KV.${bucket}.>`),
      // The requests whose runs have expired.
      '$KV.requests.run.*',
      // It revokes attempts that no host has claimed.
      CLAIMS,
      PUT_BLOBS,
      '$O.archive.>',
    ],
    reads: [
      'EVENTS',
      'INBOX',
      // Everything that may refer to a blob.
      ...['DEAD', 'DELTAS', 'COMMANDS', 'MEMORY'],
      ...['leases', 'controls', 'sessions', 'positions', 'claims', 'requests', 'harnesses'].map(
        (bucket) => `KV_${bucket}`,
      ),
      BLOBS,
      'OBJ_archive',
    ],
    follows: ['JOURNAL', 'KV_leases', 'KV_harnesses', 'KV_positions'],
    // An inbox has a new durable for each owner of its partition.
    consumes: [{ stream: 'INBOX', durable: '*', filter: '>' }],
    api: [
      // The metrics of all streams and consumers.
      'STREAM.LIST',
      'CONSUMER.LIST.*',
      'CONSUMER.CREATE.INBOX.>',
      'CONSUMER.DELETE.INBOX.*',
      // Which stage requests still wait for a host.
      'CONSUMER.INFO.EVENTS.*',
      // Archived journals, timers that are not needed any more, and objects that are replaced or unused.
      ...['JOURNAL', 'INBOX', 'OBJ_archive', BLOBS].map((stream) => `STREAM.PURGE.${stream}`),
      // Held messages that were handled.
      'STREAM.MSG.DELETE.INBOX',
    ],
  },
  projector: {
    publishes: [`${REBUILD_PROGRESS}.*`],
    // Journals, waiting commands and sessions show which requests were lost with a reset log.
    reads: ['EVENTS', 'JOURNAL', 'INBOX', 'KV_sessions', 'KV_claims', BLOBS],
    follows: ['EVENTS'],
    consumes: [{ stream: 'COMMANDS', durable: commandDurable('projection'), filter: 'command.projection.>' }],
  },
  memory: {
    publishes: [`${MEMORY_LOG}.>`, 'inbox.*.runtime.memory.>', PUT_BLOBS],
    reads: ['MEMORY', BLOBS],
    follows: ['MEMORY'],
    consumes: [work('runtime.memory.recall.requested')],
    // The texts of forgotten records; and the clock of the server.
    api: ['STREAM.MSG.DELETE.MEMORY', 'STREAM.INFO.EVENTS'],
  },
  narrator: {
    publishes: [...OWN_EVENTS.narrator, '$KV.positions.narrator'],
    reads: ['EVENTS', 'KV_positions', BLOBS],
    follows: ['EVENTS'],
  },
};
