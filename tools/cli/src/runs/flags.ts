import type { RunsFlags } from './locate.ts';

/** The options of the commands on runs, which a run directory and a request share. */

export interface EventsFlags extends RunsFlags {
  readonly limit?: string;
  readonly reverse?: boolean;
  readonly filterType?: string;
}

export interface TaskListFlags extends RunsFlags {
  readonly pending?: boolean;
  readonly kind?: string;
}

export interface TaskShowFlags extends RunsFlags {
  readonly verbose?: boolean;
}

export interface ReplayFlags extends RunsFlags {
  readonly verify?: boolean;
  readonly to?: string;
}

export interface DryRunFlags extends RunsFlags {
  readonly dryRun?: boolean;
}

export interface ReasonFlags extends DryRunFlags {
  readonly reason?: string;
}

export interface HaltFlags extends ReasonFlags {
  readonly status?: string;
}

export interface AssignFlags extends DryRunFlags {
  readonly entry?: string;
  readonly processId?: string;
  readonly inputs?: string;
  readonly force?: boolean;
}

export interface RecoverFlags extends DryRunFlags {
  readonly patchEffect: readonly string[];
}

export interface RepairFlags extends DryRunFlags {
  /** Effects, or numbers of entries, whose changed content is kept although nothing proves it. */
  readonly accept?: readonly string[];
  /** The process of a run that lost its first entry and `run.json`. */
  readonly entry?: string;
}

export interface PostFlags extends DryRunFlags {
  readonly status?: string;
  readonly value?: string;
  readonly valueInline?: string;
  readonly error?: string;
  readonly stdoutFile?: string;
  readonly stderrFile?: string;
  readonly stdoutRef?: string;
  readonly stderrRef?: string;
  readonly startedAt?: string;
  readonly finishedAt?: string;
  readonly metadata?: string;
  readonly invocationKey?: string;
}

export interface ForkFlags extends RunsFlags {
  readonly at?: string;
  readonly input?: string;
  readonly runId?: string;
  /** Requests only. */
  readonly model?: string;
  /** Requests only: `<stage>=<runtime>`. */
  readonly stage: readonly string[];
  /** Requests only: do not follow the fork. */
  readonly detach?: boolean;
}
