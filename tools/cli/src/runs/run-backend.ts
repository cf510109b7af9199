import type { ErrorInfo, JsonValue, Problem, RunAddress } from '@reins/contracts';
import type { LoadedTasks, RunEvent, StatusReport, TaskReport } from '@reins/run-directory';
import type { ChangedFile } from '../run/result.ts';
import type {
  AssignFlags,
  EventsFlags,
  ForkFlags,
  HaltFlags,
  PostFlags,
  ReasonFlags,
  RecoverFlags,
  RepairFlags,
  ReplayFlags,
  TaskListFlags,
} from './flags.ts';
import type { IterationReport } from './iteration-report.ts';
import type { Outcome } from './outcome.ts';
import type { PackedJournal } from './packed-journal.ts';
import type { RepairReport } from './repair-report.ts';
import type { ReplayResult } from './replay-result.ts';

/**
 * A run, for the commands that work on any run. It has two implementations: the run of a directory, and that of a
 * request. `openRunBackend` chooses one.
 */
export interface RunBackend {
  status(): Promise<RunStatus>;
  /** @param limit the maximum number of entries */
  events(flags: EventsFlags, limit: number): Promise<RunEvents>;
  tasks(flags: TaskListFlags): Promise<readonly TaskReport[]>;
  /** An effect with its request and result; undefined for an unknown effect. */
  task(effectId: string): Promise<RunTask | undefined>;
  verify(): Promise<Verification>;
  replay(flags: ReplayFlags): Promise<ReplayResult>;
  /** Runs the process until it waits or ends. The owner of a request does so itself: only the state is reported. */
  iterate(): Promise<Iteration>;
  /** The run as one side of a comparison. */
  diffSide(): Promise<DiffSide>;
  /** The files that the run changed. @throws ReinsError `wrong_usage` for a run that does not record them */
  changedFiles(): Promise<readonly ChangedFile[]>;
  /** Packs the journal with its values and its code. */
  bundle(): Promise<PackedJournal>;
  assign(entry: string, flags: AssignFlags): Promise<Outcome>;
  halt(flags: HaltFlags): Promise<Outcome>;
  rebuildState(flags: { readonly dryRun?: boolean }): Promise<Outcome>;
  recover(flags: RecoverFlags): Promise<Outcome>;
  repair(flags: RepairFlags): Promise<RepairReport>;
  post(effectId: string, flags: PostFlags): Promise<Outcome>;
  cancel(effectId: string, flags: ReasonFlags): Promise<Outcome>;
  invalidate(effectId: string, flags: ReasonFlags): Promise<Outcome>;
  /** @param at the entry or effect before which the fork starts */
  fork(at: string, flags: ForkFlags): Promise<Fork>;
}

export interface RunStatus extends Pick<StatusReport, 'state' | 'reason' | 'pendingByKind'> {
  readonly lastEvent: Pick<RunEvent, 'type' | 'seq'> | null;
  readonly error?: ErrorInfo | null;
}

export interface RunEvents {
  readonly events: readonly Pick<RunEvent, 'seq' | 'recordedAt' | 'type' | 'data'>[];
  readonly metadata: unknown;
  /** What each effect is. */
  readonly names: ReadonlyMap<string, string>;
  /** The first problem of a corrupted journal. */
  readonly error?: Problem;
  /** The number of the first entry that is not valid; null when the problem is not about one entry. */
  readonly brokenAt?: number | null;
}

export interface RunTask {
  readonly effect: TaskReport;
  readonly task: JsonValue;
  readonly result: JsonValue;
  /** Where a result is that is too large to show. */
  readonly largeResult?: JsonValue;
}

export interface Verification {
  readonly problems: readonly Problem[];
  readonly entries?: number;
  readonly headHash?: string | null;
}

export interface Iteration {
  readonly report: IterationReport;
  /** Whether results are posted with `task:post`. The owner of a request executes most of its work. */
  readonly takesPosts: boolean;
}

/** One side of a comparison: the journal of a run, and the SHA-256 of its files by path. */
export interface DiffSide {
  readonly run: RunAddress;
  readonly loaded: LoadedTasks;
  /** As `run:status` shows it. */
  readonly status: StatusReport['state'];
  readonly files: ReadonlyMap<string, string>;
}

export interface Fork extends Outcome {
  /** The request that runs the fork; absent for a run directory. */
  readonly requestId?: string;
}
