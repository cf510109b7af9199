/** Journals as run directories on disk: without a server, for users' tools, and for import and export. */

export type { Dropped } from './repair/kept-entry.ts';
export { type RemovedProcessError, type ResultPatch, removeProcessError } from './repair/remove-process-error.ts';
export { repairJournal } from './repair/repair.ts';
export type { RepairPlan, RepairResult } from './repair/repair-plan.ts';
export { type CostReport, costOf } from './report/cost-report.ts';
export { eventsOf, type LoadedRun, type RunEvent, readableEvents, readRun } from './report/loaded-run.ts';
export { runStatusOf, type StatusReport, staleReason, statusOf } from './report/status-report.ts';
export { type LoadedTasks, pendingByKind, type TaskReport, tasksOf, workKind } from './report/task-report.ts';
export { LAYOUT_VERSION, type RunPaths } from './store/layout.ts';
export { RunDirectoryStore } from './store/run-directory-store.ts';
export { type RunsRootSettings, runsRoot } from './store/runs-root.ts';
export { codeToKeep, KEEPS_CODE, KeptCode, type LostModule, manifestPath } from './values/kept-code.ts';
export { blobPath, RunBlobs } from './values/run-blobs.ts';
export { type Drift, type RebuildResult, rebuildState, verifyRunDirectory } from './views/rebuild.ts';
export { taskLogs } from './views/task-logs.ts';
export { blobProblems } from './views/verify-views.ts';
export { updateRunMetadata } from './views/views.ts';
