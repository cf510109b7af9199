import type { TypedBucket } from '@reins/bus';
import type { RunAddress } from '@reins/contracts';
import type { RunState } from '@reins/journal';
import type { Logger } from '@reins/service-kit';
import type { Clock } from '../partition/clock.ts';
import type { RunPorts, SessionMember } from '../run/run-ports.ts';
import type { Anchor } from './anchors.ts';
import type { FactMark } from './reconcile.ts';

/** The record of a partition in KV `positions`: up to where its facts are known to be complete, newest first. */
export interface ReconciledPosition {
  readonly anchors: readonly Anchor[];
}

/** A commit of the journal stream. */
export interface JournalCommit {
  readonly run: RunAddress;
  readonly firstVersion: number;
  readonly lastVersion: number;
  /** Whether it only says that the run was archived. Then the stream has no other commit of the run. */
  readonly isStub: boolean;
}

/** A fact in the event log. */
export interface StoredFact extends FactMark {
  readonly run: RunAddress;
}

/** What a reconciler reads of the streams. */
export interface ReconcilerStreams {
  /** The current ends of JOURNAL and EVENTS. */
  ends(): Promise<Anchor>;
  /** The message of JOURNAL at a sequence, and then the end of EVENTS. */
  anchorAt(journalSeq: number): Promise<Anchor>;
  /** Whether both streams still have the messages that they had at the anchor. */
  holds(anchor: Anchor): Promise<boolean>;
  /** The readable commits of a partition after a sequence. */
  commits(partition: number, after: number): AsyncIterable<JournalCommit>;
  /** The facts of a partition after a sequence. The signal says that they are not needed any more. */
  facts(partition: number, after: number, signal: AbortSignal): AsyncIterable<StoredFact>;
  /** All facts of a run. */
  factsOf(run: RunAddress): AsyncIterable<StoredFact>;
  /** How long EVENTS keeps a message. */
  keptMs(): Promise<number>;
  /** Changes when the connection to the server was lost. The server may have been restored meanwhile. */
  connection(): number;
}

/** A request that has the place of its session. */
export interface RunningMember extends SessionMember {
  /** Whether its submit command is stored with its place, so that it can be started again. */
  readonly isRestartable: boolean;
}

/** What a reconciler does with sessions. */
export interface SessionRepair {
  /** The next running requests after a position, and the position behind them. At the end, the position stays the same. */
  running(after: number): Promise<{ readonly members: readonly RunningMember[]; readonly next: number }>;
  /** Call it when the request has ended. Idempotent. */
  leave(state: RunState): Promise<void>;
  /** Frees the place of a lost request, and starts the next one. Idempotent. */
  release(member: SessionMember): Promise<void>;
  /** Starts the request again from its stored command. Idempotent. */
  restart(member: SessionMember): Promise<void>;
}

/** What was repaired: the label of the metric. */
export type RepairKind = 'fact' | 'damaged' | 'end' | 'session_left' | 'session_released' | 'session_restarted';

export interface ReconcilerPorts {
  readonly positions: Pick<TypedBucket<ReconciledPosition>, 'get' | 'put'>;
  readonly streams: ReconcilerStreams;
  readonly sessions: SessionRepair;
  readonly run: Pick<RunPorts, 'values' | 'factPublisher' | 'publishedOwner' | 'publishedEnd' | 'clock' | 'defaults'>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn' | 'error'>;
  /** The time between two checks. */
  readonly intervalMs: number;
  readonly onRepaired: (kind: RepairKind, count: number) => void;
}

/** The KV key of a partition's reconciled position. */
export const reconciledKeyOf = (partition: number): string => `reconciled.${partition}`;
