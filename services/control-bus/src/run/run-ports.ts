import type {
  AnyEvent,
  CommandRunSubmit,
  EventOf,
  JsonValue,
  ParentRef,
  RunAddress,
  SessionState,
} from '@reins/contracts';
import type { CommitEnd, Emission, JournalStore, LargeValues, RunState } from '@reins/journal';
import type { DueStep } from '@reins/replay';
import type { ProcessSources } from '../processes/runner-of.ts';
import type { RunDefaults } from './lifecycle/create-run.ts';
import type { HostControl } from './publish/follow-ups.ts';

/** The dependencies of a run actor. */
export interface RunPorts extends ProcessSources {
  readonly journal: RunJournal;
  readonly values: LargeValues;
  /** Puts a message into the inbox of another run. A repeated id is deduplicated. */
  readonly post: (id: string, body: AnyEvent) => Promise<void>;
  /** Runs a local step when it is due, and passes the result to the run's owner. */
  readonly runStep: (step: DueStep) => void;
  readonly factPublisher: FactPublisher;
  readonly controls: ControlSender;
  readonly claims: ClaimArbiter;
  readonly sessions: SessionKeeper;
  readonly clock: { now(): Date };
  /** The session and agent from the run's published start; for a run whose first entry is lost. */
  readonly publishedOwner?: (run: RunAddress) => Promise<RunOwner | undefined>;
  /** The published terminal fact; for a run whose last entry is lost. */
  readonly publishedEnd?: (run: RunAddress) => Promise<TerminalFact | undefined>;
  readonly defaults: () => RunDefaults;
  readonly cancelGraceMs: number;
  /** How long an executor's question waits for an answer. */
  readonly answerWithinMs: number;
  readonly stageHosts: StageHosts;
  readonly stageQueue: StageQueue;
  /** How long an attempt at a stage waits at most while hosts are busy, or while there is none. */
  readonly stageQueueForMs: number;
  /** Sets the run's next timer, in place of the previous one; undefined clears it. A due timer becomes an inbox message. */
  readonly alarm: (timer: DueTimer | undefined) => void;
  /** Removes all timers of an ended run from the stream. Idempotent. */
  readonly clearTimers: () => Promise<void>;
}

/** The journals of runs, for their owner. */
export interface RunJournal extends JournalStore {
  /** The epoch that commits are appended under. @throws Fenced when we may not own the run any more */
  readonly epoch: number;
  /**
   * Call it when the follow-ups of a run's last commit are done. Until then the next owner repeats them.
   * @param end the last entry of the run
   */
  settled(run: RunAddress, end: CommitEnd): void;
  /** Whether the facts and follow-ups of this version of a run were done under this owner. */
  isSettled(run: RunAddress, version: number): boolean;
}

/** The session and agent of a run, and its input and parent as far as its start shows them. */
export interface RunOwner extends Pick<RunState, 'sessionId' | 'agentId'> {
  readonly input?: JsonValue;
  readonly parent?: ParentRef;
}

/** The one terminal fact of a run. */
export type TerminalFact = EventOf<
  'runtime.request.completed' | 'runtime.request.failed' | 'runtime.request.cancelled'
>;

/** Publishes facts and directives. */
export interface FactPublisher {
  /** Resolves when all are durable, in order. */
  publish(emissions: readonly Emission[], cause: string | undefined, how?: PublishMode): Promise<void>;
}

export interface PublishMode {
  /** The previous owner may have published them already. */
  readonly again?: boolean;
  /** They were missing in the event log, and are published late. */
  readonly repaired?: boolean;
  /** Ids of requests whose answer is not needed any more. They get no reply subject, so that no worker performs them. */
  readonly withoutReply?: ReadonlySet<string>;
}

/** Sends control messages to the host of a running stage. */
export interface ControlSender {
  send(effectId: string, control: HostControl): Promise<void>;
  clear(effectId: string): Promise<void>;
}

/** Decides whether an attempt was claimed. Both its owner and its hosts write the claim by compare-and-set. */
export interface ClaimArbiter {
  /**
   * Prevents a host from claiming the attempt (`claimKey` of `@reins/bus`), unless one has. Idempotent.
   * @returns the host that has claimed it; undefined when no host can claim it any more
   */
  revoke(claim: string, attempt: number): Promise<string | undefined>;
}

/** What the offers of harness hosts show about their load. */
export interface StageHosts {
  /**
   * How long live hosts of the runtime were seen idle during the last `periodMs`: with free slots, and without taking a
   * stage. It is 0 while there is no host. What the hosts did before they were watched is unknown, and does not count.
   */
  idleMs(runtimeId: string, periodMs: number): number;
  /** The slots of the live, healthy hosts of the runtime. */
  slotsOf(runtimeId: string): number;
}

/** The stage requests that hosts have not answered. */
export interface StageQueue {
  /**
   * Whether the run's last stage request to the runtime waits for a host, or a host is handling it. A request that was
   * lost is not held.
   * @throws ReinsError of the bus
   */
  holds(run: RunAddress, runtimeId: string): Promise<boolean>;
}

/** Lets one request per session run at a time. */
export interface SessionKeeper {
  /** Adds a request to its session: it runs now, is queued, or finds the queue full. Idempotent. */
  enter(command: CommandRunSubmit): Promise<SessionTurnResult>;
  /**
   * The command of a request that is queued, or whose turn has just come; undefined when the session does not know it.
   * @throws ReinsError `service_unavailable` when the request is about to start
   */
  waiting(address: SessionMember): Promise<CommandRunSubmit | undefined>;
  /** Call it when a run has ended: the session takes over its results, and the next request starts. Idempotent. */
  leave(state: RunState): Promise<void>;
}

export type SessionTurnResult =
  | { readonly status: 'running'; readonly session: SessionState }
  | { readonly status: 'queued' | 'full' | 'expired' };

export interface SessionMember {
  readonly workspaceId: string;
  readonly sessionId: string;
  readonly requestId: string;
}

/** A deadline, with the message to deliver when it is due. */
export interface DueTimer {
  /** Milliseconds since the epoch. */
  readonly due: number;
  readonly body: EventOf<'timer.due'>;
  /** For a quiescent run, the version of its last entry. While it is current, the run may leave memory until `due`. */
  readonly version?: number;
}
