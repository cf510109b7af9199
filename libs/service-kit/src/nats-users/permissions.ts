import { STAGE_WORK_TYPE, WORK_TYPES } from '@reins/bus';
import { DIRECTIVES_SUBJECT } from '@reins/contracts';
import { SERVICE_NAMES, type ServiceName } from '../boot/service-definition.ts';

/** Who connects to NATS: each service, and two users for people. */
export const NATS_USERS = [...SERVICE_NAMES, 'operator', 'subscriber'] as const;
export type NatsUser = ServiceName | 'operator' | 'subscriber';

/** Subjects as the configuration of a NATS server takes them. */
export interface NatsPermissions {
  readonly publish: { readonly allow: readonly string[] };
  readonly subscribe: { readonly allow: readonly string[] };
}

/** Each user has its own prefix, so that no other user can read the replies that it gets. */
export const inboxPrefixOf = (user: NatsUser): string => `_INBOX_${user}`;

/**
 * What a user may publish and subscribe to. A service may write only what it produces; only the control bus writes
 * journals and facts. The operator may do everything. The subscriber reads events and cannot change anything: it creates
 * no consumers, because an update of a worker's consumer would take its work away.
 */
export function natsPermissions(user: NatsUser): NatsPermissions {
  if (user === 'operator') return { publish: { allow: ['>'] }, subscribe: { allow: ['>'] } };
  const inbox = `${inboxPrefixOf(user)}.>`;
  if (user === 'subscriber') {
    return { publish: { allow: READS_OF_EVENTS }, subscribe: { allow: [...EVENTS, '_INBOX.>', inbox] } };
  }
  return { publish: { allow: [...JETSTREAM, ...WRITES[user]] }, subscribe: { allow: [inbox, ...(READS[user] ?? [])] } };
}

/** Everything that the public log holds, and its republished directives. */
const EVENTS = ['runtime.>', 'agent.>', DIRECTIVES_SUBJECT, `${DIRECTIVES_SUBJECT}.>`];

const READS_OF_EVENTS = [
  '$JS.API.INFO',
  '$JS.API.STREAM.NAMES',
  '$JS.API.STREAM.LIST',
  ...['EVENTS', 'DELTAS'].flatMap((stream) => [
    `$JS.API.STREAM.INFO.${stream}`,
    `$JS.API.STREAM.MSG.GET.${stream}`,
    `$JS.API.DIRECT.GET.${stream}`,
    `$JS.API.DIRECT.GET.${stream}.>`,
  ]),
];

/** What every service needs of JetStream: topology, consumers and reads. Nothing here removes a message or a stream. */
const JETSTREAM = [
  '$JS.API.INFO',
  '$JS.API.STREAM.NAMES',
  '$JS.API.STREAM.LIST',
  '$JS.API.STREAM.INFO.*',
  '$JS.API.STREAM.CREATE.*',
  '$JS.API.STREAM.UPDATE.*',
  '$JS.API.STREAM.MSG.GET.*',
  '$JS.API.DIRECT.GET.>',
  '$JS.API.CONSUMER.>',
  '$JS.ACK.>',
  '$JS.FC.>',
];

/** Who consumes work dead-letters what it cannot handle, and records which message it was handling when it crashed. */
const CONSUMES = ['dead.>', '$KV.claims.crash.>'];
/** A put that fails removes its chunks again, which needs the purge. */
const BLOBS = ['$O.blobs.>', '$JS.API.STREAM.PURGE.OBJ_blobs'];

/** Subjects that a service reads as they are published, without a consumer. */
const READS: Readonly<Partial<Record<ServiceName, readonly string[]>>> = {
  // A later claim ends an earlier attempt.
  'harness-host': ['$KV.claims.*'],
};

const WRITES: Readonly<Record<ServiceName, readonly string[]>> = {
  gateway: [
    'inbox.>',
    '$KV.requests.>',
    ...BLOBS,
    // Dead letters go back to where they came from, and out of DEAD.
    ...CONSUMES,
    'command.>',
    ...[...WORK_TYPES, STAGE_WORK_TYPE].map((type) => `${type}.>`),
    '$JS.API.STREAM.MSG.DELETE.DEAD',
  ],
  'plan-compiler': ['inbox.*.runtime.plan.>', ...BLOBS, ...CONSUMES],
  'runner-prep': ['inbox.*.runtime.prepare.>', ...BLOBS, ...CONSUMES],
  'control-bus': [
    'journal.>',
    'inbox.>',
    'held.>',
    'schedule.>',
    'runtime.>',
    `${DIRECTIVES_SUBJECT}.>`,
    ...['leases', 'controls', 'sessions', 'positions', 'claims'].map((bucket) => `$KV.${bucket}.>`),
    ...BLOBS,
    '$O.archive.>',
    ...CONSUMES,
    // Archived journals, timers that are not needed any more, and objects that are replaced.
    ...['JOURNAL', 'INBOX', 'OBJ_archive'].map((stream) => `$JS.API.STREAM.PURGE.${stream}`),
    // Held messages that were handled.
    '$JS.API.STREAM.MSG.DELETE.INBOX',
  ],
  'harness-host': [
    'inbox.*.runtime.stage.>',
    'inbox.*.effect.progress.>',
    'agent.>',
    'runtime.harness.>',
    '$KV.claims.>',
    '$KV.harnesses.>',
    ...BLOBS,
    ...CONSUMES,
  ],
  projector: [...CONSUMES],
  narrator: ['runtime.progress.narration.>', '$KV.positions.>', ...BLOBS],
};
