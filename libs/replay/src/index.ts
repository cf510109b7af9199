/**
 * The deterministic process runtime. A process is a function over a `ProcessContext`. A `Coroutine` runs it between
 * journal entries: recorded entries are fed, and it returns what to record next. The same entries always lead to the
 * same state.
 */
export { assertAssignable, assignment, type CodeAssignment, isAssignment, isCorrection } from './assignment.ts';
export { getActiveProcessContext, requireProcessContext, withProcessContext } from './context/process-storage.ts';
export { attemptFailed } from './deadlines/attempts.ts';
export { deadlineEntries } from './deadlines/deadline-entries.ts';
export { effectDeadline } from './deadlines/effect-deadline.ts';
export { codeChange } from './engine/code-change.ts';
export { Coroutine } from './engine/coroutine.ts';
export type { Divergence } from './engine/divergence.ts';
export { externalEndMark } from './engine/external-end.ts';
export { HOOK_TIMEOUT_MS } from './engine/limits.ts';
export { type EndState, runtimeError } from './engine/outcome.ts';
export {
  inProcess,
  type ProcessRunner,
  type RunnerOptions,
  type RunningProcess,
  runnerOf,
} from './engine/process-runner.ts';
export { pastStarts } from './engine/starts.ts';
export { type DueStep, failedAttempt } from './engine/step-attempt.ts';
export type { CoroutineOptions, CoroutineState, FedEntry, ReplayOptions, Turn } from './engine/turn.ts';
export { CancelledError, EffectError, errorInfoOf, ProcessEnded } from './errors.ts';
export { SeededRandom } from './invocation/seeded.ts';
export type { PostedResult } from './local/answers.ts';
export { createFork, type Fork, forkedEntries, rechainEntries } from './local/fork.ts';
export { LocalRun, type LocalRunOptions, type NewRun } from './local/local-run.ts';
export {
  assignProcess,
  cancelEffect,
  type ForcedEndStatus,
  haltRun,
  invalidateEffect,
  postResult,
  requireInvalidatable,
} from './local/operator.ts';
export { type RecordedJournal, type Replay, replayEach, replayRun } from './local/replay-run.ts';
export type * from './process-context.ts';
export {
  type Admission,
  OPERATOR_GRACE_MS,
  type ProcessDefinition,
  type RequestedEffect,
} from './process-definition.ts';
