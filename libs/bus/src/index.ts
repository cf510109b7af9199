export { type BlobRef, Blobs } from './blobs/blobs.ts';
export { externalise, INLINE_LIMIT, inline, parseReference } from './blobs/externalise.ts';
export { KeyedBlobs } from './blobs/keyed-blobs.ts';
export type { ObjectMeta } from './blobs/small-object.ts';
export { type StoredChunk, StoredObjects } from './blobs/stored-objects.ts';
export { callService } from './calls/call-service.ts';
export { type CallHandler, type ServedCalls, serveCalls } from './calls/serve-calls.ts';
export { Bus, connectBus } from './connection/bus.ts';
export { ConnectionGuard } from './connection/connection-guard.ts';
export type { LinkState } from './connection/link-state.ts';
export { type ClockComparison, compareClocks, MAX_SKEW_MS, ServerClock } from './connection/server-clock.ts';
export { compareVersions, MINIMUM_SERVER_VERSION } from './connection/server-version.ts';
export { type BusAuth, type BusLog, type BusSettings, silentLog } from './connection/settings.ts';
export { ackFloorOf } from './consume/ack-floor.ts';
export { consume } from './consume/consume.ts';
export type { Consumption } from './consume/consumption.ts';
export { type CrashMark, crashesOf, NO_MARK, withAttempt, withoutAttempt } from './consume/crash-mark.ts';
export { FairQueue, type FairQueueLimits, type Place } from './consume/fair-queue.ts';
export { BusMessage, parseBody } from './consume/message.ts';
export type { BusObserver, HandledMessage, HandledOutcome } from './consume/observer.ts';
export type { ConsumeOptions } from './consume/options.ts';
export type { StopReason } from './consume/pull-client.ts';
export { CRASHED, Quarantine, type SuspectWork } from './consume/quarantine.ts';
export {
  classifyFailure,
  DEFAULT_RETRY,
  type FailureAction,
  type Failures,
  isPermanent,
  jittered,
  NO_FAILURES,
  type RetryPolicy,
} from './consume/retry.ts';
export { armCrashPoints, CRASH_POINTS, type CrashPoint, crashPoint } from './crash/crash-points.ts';
export { type DeadLetter, type DeadLetterFilter, DeadLetters } from './dead/dead-letters.ts';
export { openBucket, TypedBucket } from './kv/bucket.ts';
export { CLAIM_TTL_MS, type Claim, claimKey, type StoredAnswer } from './kv/claim.ts';
export { ClaimRevocations } from './kv/claim-revocations.ts';
export { type ClaimOutcome, Claims, type ClaimsOptions } from './kv/claims.ts';
export { type ControlMessage, Controls } from './kv/controls.ts';
export type { Entry } from './kv/entry.ts';
export type { HeldClaim } from './kv/held-claim.ts';
export { PresenceRecords } from './kv/presence-records.ts';
export type { BucketListener, Watch, WatchOptions } from './kv/watch.ts';
export { countHeldMessages, type HeldMessage, HeldMessages, runsWithHeldMessages } from './partitions/held-messages.ts';
export { consumeInbox, type InboxOptions, inboxDurable, type LeaseVerifier } from './partitions/inbox.ts';
export type { Lease } from './partitions/lease.ts';
export {
  type LeaseCallbacks,
  PartitionLeases,
  type PartitionLeasesOptions,
  readReplicas,
} from './partitions/partition-leases.ts';
export { fairShare } from './partitions/share.ts';
export { Appender, type AppenderOptions, type AppendRequest, type AppendResult } from './publish/appender.ts';
export { causedBy, EventPublisher, type OutgoingEvent } from './publish/event-publisher.ts';
export { decodeEventHeaders, type EventHeaders, type ExtraHeaders } from './publish/headers.ts';
export { OrderedPublisher, type PublisherOptions } from './publish/ordered-publisher.ts';
export type { AckCallback, OutgoingMessage } from './publish/outgoing.ts';
export type { PublishReceipt } from './publish/pub-ack.ts';
export { lastMessageOn } from './read/last-message-on.ts';
export { lastMessagePerSubject } from './read/last-message-per-subject.ts';
export { orderedReader, type Reader, type ReaderGap, type ReaderOptions } from './read/ordered-reader.ts';
export { readSubject } from './read/read-subject.ts';
export type { StoredMessage } from './read/stored-message.ts';
export { isOverwritten, leaderOf, positionOf, type StreamPosition } from './read/stream-position.ts';
export { type TimerRequest, Timers, type TimersOptions } from './timers/timers.ts';
export { formatChanges, type TopologyChange } from './topology/diff.ts';
export {
  BUCKET_NAMES,
  type BucketName,
  bucketStream,
  COMMAND_OWNERS,
  type CommandOwner,
  commandDurable,
  MEMORY_CALLS,
  MEMORY_LOG,
  OBJECT_STORE_NAMES,
  type ObjectStoreName,
  PROVIDER_PAUSES,
  REBUILD_PROGRESS,
  STAGE_WORK_TYPE,
  STREAM_NAMES,
  type StreamName,
  WORK_TYPES,
  workerDurable,
  workerFilter,
} from './topology/names.ts';
export { provision, type TopologyManagement } from './topology/provision.ts';
export { declareTopology, EVENTS_MAX_AGE_DAYS, type Topology, type TopologySettings } from './topology/topology.ts';
