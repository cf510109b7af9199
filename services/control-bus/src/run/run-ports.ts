import type { AnyEvent, CommandRunSubmit, EventOf, RunAddress, SessionState } from '@reins/contracts';
import type { Emission, JournalStore, LargeValues, RunState } from '@reins/journal';
import type { DueStep } from '@reins/replay';
import type { ProcessSources } from '../processes/runner-of.ts';
import type { RunDefaults } from './create-run.ts';
import type { HostOrder } from './follow-ups.ts';

/** Everything that the run actor needs of the world. */
export interface RunPorts extends ProcessSources {
  readonly journal: JournalStore;
  readonly values: LargeValues;
  /** Puts a message into the inbox of another run; the same id again is the same message. */
  readonly post: (id: string, body: AnyEvent) => Promise<void>;
  /** Runs a local step when its time has come, and hands its result to the run's owner. */
  readonly runStep: (step: DueStep) => void;
  readonly factPublisher: FactPublisher;
  readonly controls: ControlSender;
  readonly sessions: SessionKeeper;
  readonly clock: { now(): Date };
  /** Whose a run is, as it was told when it began; for one of which the journal does not say so any more. */
  readonly publishedOwner?: (run: RunAddress) => Promise<RunOwner | undefined>;
  /** How a run has ended, as it was told; for one of which the journal does not say so any more. */
  readonly publishedEnd?: (run: RunAddress) => Promise<TerminalFact | undefined>;
  /** The ownership that a commit is appended under. */
  readonly epoch: () => number;
  readonly defaults: () => RunDefaults;
  readonly cancelGraceMs: number;
  /** How long a question of an executor waits for its answer. */
  readonly answerWithinMs: number;
  /** Puts this timer into the run's inbox when it is due, in place of any set before; undefined = none. */
  readonly alarm: (timer: DueTimer | undefined) => void;
  /** The run has ended: its timers, whoever set them, are taken out of the stream. Idempotent. */
  readonly clearTimers: (state: RunState) => Promise<void>;
}

/** Of a run that has a journal: its session and its agent. */
export type RunOwner = Pick<RunState, 'sessionId' | 'agentId'>;

/** The one terminal fact of a run. */
export type TerminalFact = EventOf<
  'runtime.request.completed' | 'runtime.request.failed' | 'runtime.request.cancelled'
>;

/** Tells facts and directives. */
export interface FactPublisher {
  /** Resolves when every one is durable, in this order. `again` = the owner before may have told them already. */
  publish(emissions: readonly Emission[], cause: string | undefined, again?: boolean): Promise<void>;
}

/** What goes down to the host of a running stage. */
export interface ControlSender {
  send(effectId: string, order: HostOrder): Promise<void>;
  clear(effectId: string): Promise<void>;
}

/** One running request per session. */
export interface SessionKeeper {
  /** A request comes to its session, and either runs now, or waits for its turn, or finds the queue full. Idempotent. */
  enter(command: CommandRunSubmit): Promise<SessionTurnResult>;
  /**
   * The command of a request that waits for its turn, or whose turn has just come; undefined when the session does not know it.
   * @throws ReinsError `service_unavailable` when the request is about to begin by itself
   */
  waiting(address: SessionMember): Promise<CommandRunSubmit | undefined>;
  /** The run has ended: the session takes over what it leaves, and the next request gets its turn. Idempotent. */
  leave(state: RunState): Promise<void>;
}

export type SessionTurnResult =
  | { readonly status: 'running'; readonly session: SessionState }
  | { readonly status: 'queued' | 'full' };

export interface SessionMember {
  readonly workspaceId: string;
  readonly sessionId: string;
  readonly requestId: string;
}

/** A deadline as the message that it will be. */
export interface DueTimer {
  /** Milliseconds since the epoch. */
  readonly due: number;
  readonly body: EventOf<'timer.due'>;
  /** Of a run at rest, the version of its last entry: as long as that is the last, the run needs no owner before this. */
  readonly version?: number;
}
