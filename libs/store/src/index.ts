export { type Database, type DatabaseSettings, isRejectedData, openDatabase } from './database.ts';
export { migrate } from './migrations/migrate.ts';
export {
  eventTime,
  type LogEvent,
  type LogItem,
  type LogMessage,
  readLogMessage,
  type UnreadableMessage,
  unreadableMessage,
} from './projection/log-event.ts';
export { project } from './projection/project.ts';
export { projection } from './projection/projection.ts';
export type { ScopeName } from './projection/scope.ts';
export { type StreamView, streamViewOf, type TraceView, traceViewsOf } from './projection/views.ts';
export { type AgentProcessFilter, type AgentProcessRow, listAgentProcesses } from './queries/agent-processes.ts';
export { readSnapshot, type Snapshot } from './queries/all-rows.ts';
export { childRunsOf } from './queries/child-runs.ts';
export { type EventPage, listEvents, listTraceViews } from './queries/events.ts';
export { type ProjectionPosition, readProjectionPosition } from './queries/projection-position.ts';
export {
  findRequest,
  knownRequests,
  listRequests,
  progressOf,
  type RequestFilter,
  type RequestRows,
  requestFromLog,
  retriesOf,
  withoutDuplicates,
} from './queries/requests.ts';
export { isQueued, type StageQueue, stageQueueOf } from './queries/stage-queue.ts';
export { listWaitingRuns, type WaitingRuns } from './queries/waiting-runs.ts';
export {
  PROJECTIONS,
  READ_MODEL,
  type ReadModel,
  type RowChanges,
  rowsIn,
  type StateRows,
  TABLES,
} from './read-model.ts';
export { type LogRange, ShadowTables } from './rebuild/shadow-tables.ts';
export { type RowOf, type Table, table } from './schema/table.ts';
export type { ApprovalRow } from './tables/approvals.ts';
export type { ArtifactRow } from './tables/artifacts.ts';
export type { EventRow } from './tables/events.ts';
export { type KeptSignal, keptSignalsIn } from './tables/kept-signals.ts';
export { type OpenWait, openWaitsIn, waitsAfter } from './tables/open-waits.ts';
export type { RequestRow } from './tables/requests.ts';
export type { StageRunRow } from './tables/stage-runs.ts';
export type { RowDifference } from './verify/differences.ts';
export { type ComparedLog, type Comparison, ExpectedTables } from './verify/expected-tables.ts';
export { endRequests } from './write/end-requests.ts';
export type { EndedStage, Ends, Outcome } from './write/ends.ts';
export { forgetLostEvents, isProjected, requestsAfter } from './write/forget-lost-events.ts';
export { jsonText, storableText } from './write/json-text.ts';
export { type BatchResult, writeBatch } from './write/write-batch.ts';
