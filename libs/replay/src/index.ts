/**
 * The deterministic process runtime. A process is a function over a `ProcessContext`; a `Coroutine` is that function between
 * the entries of its journal: fed with what was recorded, it says what shall be recorded next, and the same entries always
 * bring it to the same place.
 */
export { assertAssignable, assignment, isAssignment } from './assignment.ts';
export { getActiveProcessContext, requireProcessContext, withProcessContext } from './context/process-storage.ts';
export { attemptFailed } from './deadlines/attempts.ts';
export { effectDeadline } from './deadlines/effect-deadline.ts';
export { overdue } from './deadlines/overdue.ts';
export { codeChange } from './engine/code-change.ts';
export { Coroutine } from './engine/coroutine.ts';
export { sealOf } from './engine/declared-end.ts';
export type { Divergence } from './engine/divergence.ts';
export { type EndState, runtimeError } from './engine/outcome.ts';
export {
  inProcess,
  type ProcessRunner,
  type RunnerOptions,
  type RunningProcess,
  runnerOf,
} from './engine/process-runner.ts';
export { type DueStep, failedAttempt } from './engine/step-attempt.ts';
export type { CoroutineOptions, CoroutineState, Fed, ReplayOptions, Turn } from './engine/turn.ts';
export { CancelledError, EffectError, errorInfoOf, ProcessEnded } from './errors.ts';
export { effectIdOf } from './invocation/invocation-key.ts';
export { SeededRandom } from './invocation/seeded.ts';
export type { Posted } from './local/answers.ts';
export { chained, createFork, type Fork, forkedEntries } from './local/fork.ts';
export { LocalRun, type LocalRunOptions, type NewRun } from './local/local-run.ts';
export {
  assignProcess,
  cancelEffect,
  haltRun,
  invalidatable,
  invalidateEffect,
  postResult,
  type Seal,
} from './local/operator.ts';
export { type Recorded, type Replay, replayEach, replayRun } from './local/replay-run.ts';
export type * from './process-context.ts';
export { OPERATOR_GRACE_MS, type ProcessDefinition } from './process-definition.ts';
