import { assertToken, ReinsError } from '@reins/contracts';

export const STREAM_NAMES = ['EVENTS', 'DELTAS', 'JOURNAL', 'INBOX', 'COMMANDS', 'DEAD', 'MEMORY'] as const;
export type StreamName = (typeof STREAM_NAMES)[number];

export const BUCKET_NAMES = [
  'leases',
  'claims',
  'controls',
  'harnesses',
  'requests',
  'sessions',
  'keys',
  'positions',
] as const;
export type BucketName = (typeof BUCKET_NAMES)[number];

export const OBJECT_STORE_NAMES = ['blobs', 'artifacts', 'archive'] as const;
export type ObjectStoreName = (typeof OBJECT_STORE_NAMES)[number];

/** Name of the stream of a bucket. */
export const bucketStream = (bucket: BucketName): string => `KV_${bucket}`;
/** Name of the stream of an object store. */
export const objectStoreStream = (store: ObjectStoreName): string => `OBJ_${store}`;

/** Event types that workers consume from EVENTS, each through its own durable. */
export const WORK_TYPES = [
  'runtime.plan.requested',
  'runtime.prepare.requested',
  'runtime.memory.recall.requested',
] as const;
/** Event type whose subject ends in a runtime id; each runtime id has a durable. */
export const STAGE_WORK_TYPE = 'runtime.stage.requested';

/**
 * Name of the durable that workers of one type share: `runtime-plan-requested`, `runtime-stage-requested-pi`.
 * @throws ReinsError `subject_invalid` when the runtime id is missing or not applicable
 */
export function workerDurable(type: string, runtimeId?: string): string {
  if ((type === STAGE_WORK_TYPE) !== (runtimeId !== undefined)) {
    throw new ReinsError({
      code: 'subject_invalid',
      message: runtimeId === undefined ? `${type} requires a runtime id` : `${type} does not take a runtime id`,
      path: type,
    });
  }
  const base = type.replaceAll('.', '-');
  return runtimeId === undefined ? base : `${base}-${assertToken(runtimeId, 'runtimeId')}`;
}

/** Services with their own command queue. */
export const COMMAND_OWNERS = ['memory', 'projection'] as const;
export type CommandOwner = (typeof COMMAND_OWNERS)[number];

/** Subjects of the progress of a rebuild: `projection.progress.<token>`. No stream keeps them. */
export const REBUILD_PROGRESS = 'projection.progress';

/** Subject without a stream on which harness hosts learn that a model provider accepts no calls for a time. */
export const PROVIDER_PAUSES = 'providers.paused';

/** The stream of memory has the changes of a namespace on `memory.log.<scope>.<id>`. */
export const MEMORY_LOG = 'memory.log';

/** Subjects of the calls of the memory service: `memory.call.<name>`. No stream keeps them. */
export const MEMORY_CALLS = 'memory.call';

/** Name of a service's durable on COMMANDS. */
export const commandDurable = (owner: CommandOwner): string => `command-${owner}`;

/** Filter of a worker's durable: every workspace and request. */
export function workerFilter(type: string, runtimeId?: string): string {
  return runtimeId === undefined ? `${type}.*.*` : `${type}.*.*.${runtimeId}`;
}
