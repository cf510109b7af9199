import type { ErrorInfo, JsonValue } from '@reins/contracts';
import { pendingEffects, type RunState } from '@reins/journal';
import { type Divergence, errorInfoOf, type Turn } from '@reins/replay';
import {
  type LoadedRun,
  pendingByKind,
  type RunBlobs,
  type StatusReport,
  staleReason,
  type TaskReport,
  tasksOf,
} from '@reins/run-directory';
import { type NextAction, nextActions, waitingReason } from './next-actions.ts';

/** The result of an iteration. */
export interface IterationResult {
  readonly outcome: Turn['state'];
  readonly state: RunState;
  readonly divergence?: Divergence;
  /** The output, when the journal does not have it. */
  readonly output?: JsonValue;
}

export interface IterationReport {
  /** The number of results and cancellations so far, plus one. */
  readonly iteration: number;
  readonly iterationCount: number;
  readonly status: 'waiting' | 'completed' | 'halted' | 'failed' | 'cancelled';
  readonly action: 'waiting' | 'none';
  readonly reason: string;
  readonly count?: number;
  /** When the next sleep ends, in milliseconds since 1970. */
  readonly until?: number;
  readonly nextActions?: readonly NextAction[];
  readonly completionProof?: string;
  readonly output?: JsonValue;
  readonly error?: ErrorInfo;
  readonly payload?: JsonValue;
  /** Where the process diverged from its journal. */
  readonly divergence?: Omit<Divergence, 'error'>;
  readonly warnings?: readonly string[];
  readonly metadata: {
    readonly runId: string;
    readonly processId: string;
    readonly hookStatus: 'none';
    /** The version of the journal before this iteration. */
    readonly stateVersion: number;
    readonly pendingEffectsByKind: Readonly<Record<string, number>>;
    readonly journalHead:
      | NonNullable<StatusReport['metadata']['journalHead']>
      | { readonly seq: number; readonly hash: string }
      | null;
    /** Whether the stored state did not match the journal. */
    readonly stateRebuilt: boolean;
    readonly stateRebuildReason: string | null;
  };
}

/** The report of `run:iterate`. */
export function iterationReport(parts: {
  readonly start: IterationReport['metadata'];
  readonly after: LoadedRun;
  readonly iterated: IterationResult;
  readonly warnings: readonly string[];
}): IterationReport {
  const { start, after, iterated, warnings } = parts;
  const answers = after.entries.filter(({ type }) => type === 'EFFECT_RESOLVED' || type === 'EFFECT_CANCELLED').length;
  return {
    iteration: answers + 1,
    iterationCount: answers + 1,
    ...outcomeReport({ ...after, tasks: () => tasksOf(after, pendingEffects(after.state)) }, iterated),
    ...(warnings.length > 0 && { warnings }),
    metadata: start,
  };
}

export type RunOutcome = Pick<IterationReport, 'status' | 'action' | 'reason'> & Partial<IterationReport>;

/** What the outcome of a run is computed from. */
export interface OutcomeSource extends Pick<LoadedRun, 'metadata'> {
  /** The reports of its pending effects. */
  readonly tasks: () => readonly TaskReport[];
  readonly blobs: Pick<RunBlobs, 'outputOf' | 'requestOf'>;
}

/** The status of a run and what it waits for. */
export function outcomeReport(
  after: OutcomeSource,
  { outcome, state, divergence, output }: IterationResult,
): RunOutcome {
  const { end, processError } = state;
  switch (outcome) {
    case 'completed':
      return { ...completed(after), output: output ?? after.blobs.outputOf(state) };
    case 'halted':
      return end?.status === 'halted'
        ? { status: 'halted', action: 'none', reason: end.reason ?? 'halted', payload: end.payload ?? null }
        : { status: 'halted', action: 'none', reason: 'halted' };
    case 'failed':
      return failed('failed', end?.status === 'failed' ? end.error : undefined);
    case 'cancelled':
      return {
        status: 'cancelled',
        action: 'none',
        reason: (end?.status === 'cancelled' && end.reason) || 'cancelled',
      };
    case 'broken':
      return failed(`process-error: ${processError?.error.message}`, processError?.error);
    case 'diverged':
      return {
        ...failed('replay_nondeterminism', divergence && errorInfoOf(divergence.error)),
        ...differs(divergence),
      };
    case 'waiting':
      return waiting(state, after);
  }
}

function differs(divergence: Divergence | undefined): Pick<IterationReport, 'divergence'> {
  if (!divergence) return {};
  const { error: _, ...difference } = divergence;
  return { divergence: difference };
}

function completed({ metadata: { completionProof } }: OutcomeSource): RunOutcome {
  const proof = typeof completionProof === 'string' ? { completionProof } : {};
  return { status: 'completed', action: 'none', reason: 'completed', ...proof };
}

const failed = (reason: string, error: ErrorInfo | undefined): RunOutcome => ({
  status: 'failed',
  action: 'none',
  reason,
  ...(error && { error }),
});

/** The process awaits a promise that no effect will settle, so the run cannot continue. */
const STUCK: ErrorInfo = {
  code: 'process_invalid',
  message:
    'the process waits for a promise that did not come from its context; use ctx.task or ctx.step for outside work',
};

function waiting(state: RunState, after: OutcomeSource): RunOutcome {
  const actions = nextActions(state, after.tasks(), after.blobs);
  if (actions.length === 0) return failed('process-stuck', STUCK);
  const sleeps = actions.flatMap(({ schedulerHints: { sleepUntilEpochMs } }) => sleepUntilEpochMs ?? []);
  return {
    status: 'waiting',
    action: 'waiting',
    reason: waitingReason(actions),
    count: actions.length,
    ...(sleeps.length > 0 && { until: Math.min(...sleeps) }),
    nextActions: actions,
  };
}

/** The metadata of a run before an iteration. */
export function startOf(before: LoadedRun): IterationReport['metadata'] {
  const { run, metadata, state, files } = before;
  const head = files.at(-1);
  const stale = staleReason(before);
  return {
    runId: run.runId,
    processId: typeof metadata.processId === 'string' ? metadata.processId : state.process.id,
    hookStatus: 'none',
    stateVersion: head?.seq ?? 0,
    pendingEffectsByKind: pendingByKind(before),
    journalHead: head ? { seq: head.seq, ulid: head.ulid } : null,
    stateRebuilt: stale !== null,
    stateRebuildReason: stale,
  };
}
