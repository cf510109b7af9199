import type {
  BlobRef,
  ErrorInfo,
  EventOf,
  JsonObject,
  JsonValue,
  Limits,
  ParentRef,
  ProcessRef,
  RunAddress,
  SessionState,
  Stage,
  Suspension,
  Usage,
} from '@reins/contracts';
import { EMPTY_HEAD, type Head } from '../entries/entry.ts';

export type RunStatus = 'created' | 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled' | 'halted';
/** `claimed`: a worker prepares it, so it may have side effects already. */
export type EffectStatus = 'requested' | 'claimed' | 'started' | 'waiting' | 'resolved' | 'cancelled';
/** What a suspended run waits for. */
export type WaitReason = EventOf<'runtime.request.waiting'>['reason'];

/** The state of one effect. */
export interface EffectState {
  readonly effectId: string;
  readonly kind: string;
  readonly key: string;
  readonly argsHash: string;
  readonly limits: Limits;
  readonly label?: string;
  /**
   * The fields of the kind's requested fact, with the changes of the current attempt. Of a large request, only the
   * small fields.
   */
  request: JsonObject;
  /** Reference to the whole request, if it is large. */
  readonly requestRef?: BlobRef;
  /** The version of the entry that first requested it. */
  readonly requestedVersion: number;
  status: EffectStatus;
  attempt: number;
  /** When its first attempt was requested. */
  readonly firstRequestedAt: string;
  /** When the current attempt was requested. */
  requestedAt: string;
  /** When a worker claimed the current attempt, if that was reported. */
  claimedAt?: string;
  startedAt?: string;
  /** While it waits for an answer: the time at which that expires. */
  expiresAt?: string;
  /** While it waits for an answer: the number of its question within the run. Earlier versions gave none. */
  questionNumber?: number;
  /** The beginning of a question to the user that was not answered. */
  question?: string;
  hostId?: string;
  /** While it waits without a host: where it continues. */
  suspended?: Suspension;
  /** How often it was suspended and continued. */
  resumptions?: number;
  /** What its attempts have used until they asked a question. */
  usageBeforeQuestions?: readonly Usage[];
  /** Set once the effect is resolved. */
  result?: EffectResult;
  /** Failed attempts, oldest first. */
  failures: {
    readonly attempt: number;
    readonly outcome: 'failed' | 'unknown';
    readonly error: ErrorInfo;
    readonly usage?: Usage;
  }[];
}

/** `valueRef` replaces a value that is too large for the journal. `value` then has only its small fields. */
export type EffectResult =
  | { readonly status: 'ok'; readonly value: JsonValue; readonly valueRef?: BlobRef }
  | { readonly status: 'error'; readonly error: ErrorInfo; readonly value?: JsonValue; readonly valueRef?: BlobRef };

/** The entries that a run shares with another one. */
export interface Forked {
  /** The run id that the process sees. The shared entries were recorded under it. */
  readonly identity: string;
  /** How many entries are shared. This run requests the effects that they left pending. */
  readonly shared: number;
  /** When the fork was made (RFC 3339). */
  readonly at: string;
}

/** The state of a run, folded from its entries. Only `applyEntry` changes it. */
export interface RunState {
  readonly run: RunAddress;
  head: Head;
  status: RunStatus;
  sessionId: string;
  agentId: string;
  revision: string;
  process: ProcessRef;
  inputs: JsonValue;
  /** Replaces inputs that are too large for the journal. */
  inputsRef?: BlobRef;
  /** Metadata that the creator gave in addition to the inputs. */
  metadata?: JsonObject;
  /** The user whose memory the run may use. */
  userId?: string;
  session: SessionState;
  idempotencyKey: string;
  createdAt: string;
  /** The W3C trace context that the run was submitted in. */
  traceparent?: string;
  /** The W3C trace state that belongs to it. */
  tracestate?: string;
  /** The parent of a child run. */
  parent?: ParentRef;
  /** Set for a run that was forked from another one. */
  forked?: Forked;
  /** For a run without a process: when a process must be assigned (RFC 3339). */
  assignBy?: string;
  /** The version of the entry that started the process. Effects requested before it cannot be invalidated. */
  assignedVersion: number;
  /** The run itself was waiting when it got this process: it had none, or waited for an operator. */
  assignedWhileWaiting?: boolean;
  /** By effect id, in request order. */
  effects: Map<string, EffectState>;
  /** The number of the latest question. */
  questions?: number;
  /** Ids of effects that are neither resolved nor cancelled, in request order. */
  pending: Set<string>;
  /**
   * Why the run is suspended, by effect id; by run id when the process itself waits. Empty while the run is not
   * suspended.
   */
  waiting: Map<string, WaitReason>;
  /** How often each stage was requested. */
  stageRequests: Partial<Record<Stage, number>>;
  /** The last attempt of effects that were invalidated, by effect id. */
  earlierAttempts: Map<string, number>;
  /** How many signals of each name arrived since the process last waited for one. That bounds how many are kept. */
  earlySignals: Map<string, number>;
  /** Set while the run is paused: by an operator, or by its owner because of an error. */
  paused?: { readonly at: string; readonly reason?: string; readonly error?: ErrorInfo };
  cancelRequested?: { readonly at: string; readonly reason?: string; readonly by?: string };
  /** Idempotency keys of the commands that were accepted. */
  commands: Set<string>;
  /** The process failed with an error of its own and has not recovered yet. */
  processError?: { readonly error: ErrorInfo; readonly effectId?: string; readonly expiresAt: string };
  end?: RunEnd;
  /** Reference to the archived entries, once the run is archived. */
  archive?: BlobRef;
}

/** `outputRef` replaces an output that is too large for the journal. */
export type RunEnd =
  | {
      readonly status: 'completed';
      readonly output: JsonValue;
      readonly outputRef?: BlobRef;
      readonly endedAt: string;
    }
  | { readonly status: 'failed'; readonly error: ErrorInfo; readonly endedAt: string }
  | { readonly status: 'cancelled'; readonly reason?: string; readonly endedAt: string }
  | { readonly status: 'halted'; readonly reason?: string; readonly payload?: JsonValue; readonly endedAt: string };

/** The state before the first entry. */
export function emptyRun(run: RunAddress): RunState {
  return {
    run,
    head: EMPTY_HEAD,
    status: 'created',
    sessionId: '',
    agentId: '',
    revision: '',
    process: { id: '', codeHash: '' },
    inputs: null,
    session: {},
    idempotencyKey: '',
    createdAt: '',
    assignedVersion: 0,
    effects: new Map(),
    pending: new Set(),
    waiting: new Map(),
    stageRequests: {},
    earlierAttempts: new Map(),
    earlySignals: new Map(),
    commands: new Set(),
  };
}

/** An ended run does not change any more. */
export function isEnded(state: RunState): boolean {
  return state.end !== undefined;
}

/** The effects that are not finished, in request order. */
export function pendingEffects(state: RunState): EffectState[] {
  return [...state.pending].map((effectId) => state.effects.get(effectId) as EffectState);
}
