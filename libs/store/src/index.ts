export { type Database, type DatabaseSettings, isRejectedData, openDatabase } from './database.ts';
export { MIGRATIONS, migrate } from './migrations/migrate.ts';
export {
  type LogEvent,
  type LogItem,
  type LogMessage,
  readLogMessage,
  type UnreadableMessage,
  unreadableMessage,
} from './projection/log-event.ts';
export { project } from './projection/project.ts';
export { type AppendedRows, NO_ROWS, type RowChanges, type StateRows } from './projection/row-changes.ts';
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
  type RequestFilter,
  type RequestRows,
  requestFromLog,
  retriesOf,
  withoutDuplicates,
} from './queries/requests.ts';
export { isQueued, type StageQueue, stageQueueOf } from './queries/stage-queue.ts';
export { listWaitingRuns, type WaitingRuns } from './queries/waiting-runs.ts';
export { type FinalRows, ShadowFold } from './rebuild/shadow-fold.ts';
export { type LogRange, ShadowTables } from './rebuild/shadow-tables.ts';
export type { RowOf, Table } from './schema/table.ts';
export * from './schema/tables.ts';
export type { EndedStage, Ends, Outcome } from './write/ends.ts';
export { jsonText } from './write/json-text.ts';
export { type BatchResult, writeBatch } from './write/write-batch.ts';
