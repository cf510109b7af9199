/**
 * The control bus without Nest and without a bus: partitions and their runs over ports. For those who drive it over a world of their own
 * (`@reins/simulation`).
 */
export type { ArchiveStreams, StoredCommit } from './partition/archive-streams.ts';
export { Archivist, type ArchivistOptions, type Swept, sweptKeyOf } from './partition/archivist.ts';
export { Checkpoints } from './partition/checkpoints.ts';
export type { Clock } from './partition/clock.ts';
export { inboxTimers } from './partition/inbox-timers.ts';
export { isAsleep, isOpen, type LiveRuns, liveRunsAmong, runsOf } from './partition/live-runs.ts';
export { type BarePorts, epochOf, type OwnedParts, ownedPorts } from './partition/owned-ports.ts';
export { Partition } from './partition/partition.ts';
export type { Inbox, InboxMessage, InboxUse, PartitionPorts } from './partition/partition-ports.ts';
export { type BookPage, nameOf } from './partition/run-book.ts';
export { RunBooks } from './partition/run-books.ts';
export { type KeptPage, pageKeyOf, RunPages } from './partition/run-pages.ts';
export { type BuiltInProcess, definitionFor } from './processes/built-in-process.ts';
export { processOf } from './processes/registry.ts';
export {
  type AuthoredProcesses,
  type AuthoredRef,
  isAuthored,
  type ProcessSources,
  runnerOf,
} from './processes/runner-of.ts';
export { WorkspaceProcesses } from './processes/workspace-processes.ts';
export { blobValues } from './run/blob-values.ts';
export { busPost } from './run/bus-post.ts';
export { BusTeller } from './run/bus-teller.ts';
export { type RequestWords, requestIn, wordsOf } from './run/create-run.ts';
export { folded } from './run/reaction.ts';
export { Fenced } from './run/run-actor.ts';
export type { RunPorts } from './run/run-ports.ts';
export { type SessionBucket, SessionsRepository } from './sessions/sessions.repository.ts';
