/** The control bus without NestJS and NATS: partitions and runs over ports. `@reins/simulation` uses it. */
export type { ArchiveStreams, StoredCommit } from './partition/archive-streams.ts';
export { Checkpoints } from './partition/checkpoints.ts';
export type { Clock } from './partition/clock.ts';
export type { Inbox, InboxConsumerOptions, InboxMessage } from './partition/inbox.ts';
export { inboxTimers } from './partition/inbox-timers.ts';
export { type LiveRunSnapshot, runKeyOf } from './partition/live-run-index.ts';
export { LiveRunSnapshots, type StoredSnapshot, snapshotKeyOf } from './partition/live-run-snapshots.ts';
export { isDormant, isOpen, type LiveRuns, liveRunsAmong, runsOf } from './partition/live-runs.ts';
export type { LiveRunsPorts } from './partition/owned-live-runs.ts';
export { OwnedPartition } from './partition/owned-partition.ts';
export type { PartitionPorts } from './partition/partition-ports.ts';
export { type ArchivePosition, archivePositionKeyOf, type RunArchiverPorts } from './partition/run-archiver.ts';
export { type BuiltInProcess, definitionFor } from './processes/built-in-process.ts';
export { processOf } from './processes/registry.ts';
export {
  type AuthoredProcesses,
  type AuthoredRef,
  type ProcessSources,
  runnerOf,
} from './processes/runner-of.ts';
export { WorkspaceProcesses } from './processes/workspace-processes.ts';
export type { Anchor } from './reconcile/anchors.ts';
export { derivedFacts } from './reconcile/derived-facts.ts';
export { type FactMark, reconcile } from './reconcile/reconcile.ts';
export {
  type ReconciledPosition,
  type ReconcilerPorts,
  type ReconcilerStreams,
  reconciledKeyOf,
  type SessionRepair,
} from './reconcile/reconciler-ports.ts';
export { busRetentionPorts } from './retention/bus-retention-ports.ts';
export { type Reference, referencesTo } from './retention/references-to.ts';
export { RETENTION_KEY, type RetentionRecord } from './retention/retention-sweep.ts';
export { type KeptRun, whyKept } from './retention/why-kept.ts';
export { foldWithReaction } from './run/lifecycle/reaction.ts';
export { Fenced } from './run/lifecycle/run-errors.ts';
export { BusFactPublisher } from './run/publish/bus-fact-publisher.ts';
export { busPost } from './run/publish/bus-post.ts';
export type { RunPorts } from './run/run-ports.ts';
export { type SessionBucket, SessionsRepository } from './sessions/sessions.repository.ts';
