import { assertToken, ReinsError } from '@reins/contracts';

export const STREAM_NAMES = ['EVENTS', 'DELTAS', 'JOURNAL', 'INBOX', 'COMMANDS', 'DEAD'] as const;
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

/** The stream that lies under a bucket. */
export const bucketStream = (bucket: BucketName): string => `KV_${bucket}`;
/** The stream that lies under an object store. */
export const objectStoreStream = (store: ObjectStoreName): string => `OBJ_${store}`;

/** Work that services take from EVENTS, each kind through a durable of its own. */
export const WORK_TYPES = [
  'runtime.plan.requested',
  'runtime.prepare.requested',
  'runtime.memory.recall.requested',
] as const;
/** Work whose subject ends in a runtime id, one durable for each. */
export const STAGE_WORK_TYPE = 'runtime.stage.requested';

/** `runtime-plan-requested`, `runtime-stage-requested-pi`: the durable that workers of this kind share. */
export function workerDurable(type: string, runtimeId?: string): string {
  if ((type === STAGE_WORK_TYPE) !== (runtimeId !== undefined)) {
    throw new ReinsError({
      code: 'subject_invalid',
      message: runtimeId === undefined ? `${type} is taken by runtime id` : `${type} has no runtime id`,
      path: type,
    });
  }
  const base = type.replaceAll('.', '-');
  return runtimeId === undefined ? base : `${base}-${assertToken(runtimeId, 'runtimeId')}`;
}

/** Services that have a queue of commands of their own. */
export const COMMAND_OWNERS = ['memory', 'projection'] as const;
export type CommandOwner = (typeof COMMAND_OWNERS)[number];

/** The durable of such a queue, on COMMANDS. */
export const commandDurable = (owner: CommandOwner): string => `command-${owner}`;

/** The subjects that a worker's durable takes: every workspace, every request. */
export function workerFilter(type: string, runtimeId?: string): string {
  return runtimeId === undefined ? `${type}.*.*` : `${type}.*.*.${runtimeId}`;
}
