/** Journals as run directories on disk: without a server, for users' tools, and for import and export. */

export type { Dropped } from './classify-entries.ts';
export { codeToKeep, KEEPS_CODE, KeptCode, type LostModule, manifestPath } from './kept-code.ts';
export { LAYOUT_VERSION, LEGACY_LAYOUT_VERSION, type RunPaths, runPaths } from './layout.ts';
export { type Drift, type RebuildResult, rebuildState, verifyRunDirectory } from './rebuild.ts';
export { type RemovedProcessError, type ResultPatch, removeProcessError } from './remove-process-error.ts';
export { repairJournal } from './repair.ts';
export type { RepairPlan, RepairResult } from './repair-plan.ts';
export { type CostReport, costOf } from './report/cost-report.ts';
export { eventsOf, type LoadedRun, type RunEvent, readableEvents, readRun } from './report/loaded-run.ts';
export { runStatusOf, type StatusReport, staleReason, statusOf } from './report/status-report.ts';
export { type LoadedTasks, pendingByKind, type TaskReport, tasksOf, workKind } from './report/task-report.ts';
export { blobPath, RunBlobs } from './run-blobs.ts';
export { RunDirectoryStore } from './run-directory-store.ts';
export { acquireRunLock, type LockOptions, type LockRecord, type RunLock } from './run-lock.ts';
export { type RunsRootSettings, runsRoot } from './runs-root.ts';
export { taskLogs } from './task-logs.ts';
export { blobProblems } from './verify-views.ts';
export { updateRunMetadata } from './views.ts';
