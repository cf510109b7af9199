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
} from '@reins/contracts';
import { EMPTY_HEAD, type Head } from '../entries/entry.ts';

export type RunStatus = 'created' | 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled' | 'halted';
export type EffectStatus = 'requested' | 'started' | 'waiting' | 'resolved' | 'cancelled';
/** What a suspended run waits for. */
export type WaitReason = EventOf<'runtime.request.waiting'>['reason'];

/** What the journal knows of one effect. */
export interface EffectState {
  readonly effectId: string;
  readonly kind: string;
  readonly key: string;
  readonly argsHash: string;
  readonly limits: Limits;
  readonly label?: string;
  /** The fields of the kind's requested fact, with what the current attempt changed; of a large one, the small fields. */
  request: JsonObject;
  /** The whole of a large request. */
  readonly requestRef?: BlobRef;
  /** The version of the entry that asked for it first. */
  readonly requestedVersion: number;
  status: EffectStatus;
  attempt: number;
  /** When its first attempt was asked for. */
  readonly askedAt: string;
  /** When the current attempt was asked for. */
  requestedAt: string;
  startedAt?: string;
  /** While it waits for an answer: by when that must be there. */
  expiresAt?: string;
  hostId?: string;
  /** Once resolved. */
  result?: EffectResult;
  /** Attempts that failed, oldest first. */
  failures: { readonly attempt: number; readonly outcome: 'failed' | 'unknown'; readonly error: ErrorInfo }[];
}

/** `valueRef` stands in place of a value that is too large for the journal; of one that has fields, `value` has the small ones. */
export type EffectResult =
  | { readonly status: 'ok'; readonly value: JsonValue; readonly valueRef?: BlobRef }
  | { readonly status: 'error'; readonly error: ErrorInfo; readonly value?: JsonValue; readonly valueRef?: BlobRef };

/** How a run shares what another one did. */
export interface Forked {
  /** The run id that its process sees: under it the shared entries were recorded. */
  readonly identity: string;
  /** How many of its entries are shared. What they left pending is asked for by this run. */
  readonly shared: number;
  /** When it was made (RFC 3339). */
  readonly at: string;
}

/** The state of a run: the fold of its entries. Changed by `applyEntry` alone. */
export interface RunState {
  readonly run: RunAddress;
  head: Head;
  status: RunStatus;
  sessionId: string;
  agentId: string;
  revision: string;
  process: ProcessRef;
  inputs: JsonValue;
  /** In place of inputs that are too large for the journal. */
  inputsRef?: BlobRef;
  /** What its creator said beside its inputs. */
  metadata?: JsonObject;
  session: SessionState;
  idempotencyKey: string;
  createdAt: string;
  /** The W3C trace context that it was submitted in. */
  traceparent?: string;
  /** Of a run inside a run. */
  parent?: ParentRef;
  /** Of a request that began with the first entries of another one. */
  forked?: Forked;
  /** Of a request without a process: by when it must be given one (RFC 3339). */
  assignBy?: string;
  /** The version of the entry since which its process has been running: effects before it cannot be asked for again. */
  assignedVersion: number;
  /** When it was given that process, the run itself stood still: it had none, or an operator was asked about it. */
  assignedWhileStill?: boolean;
  /** By effect id, in the order of their requests. */
  effects: Map<string, EffectState>;
  /** Effect ids that are neither resolved nor cancelled, in the order of their requests. */
  pending: Set<string>;
  /** Why the run is suspended, by effect id; the process itself stands under its run id. Empty: it is not. */
  waiting: Map<string, WaitReason>;
  /** How often each stage was asked for. */
  stageRequests: Partial<Record<Stage, number>>;
  /** The attempts that were made at effects which no longer stand, by effect id. */
  earlierAttempts: Map<string, number>;
  /** By name, how many signals came since the process last waited for one: at most so many are kept for it. */
  earlySignals: Map<string, number>;
  /** An operator holds its process. */
  paused?: { readonly at: string };
  cancelRequested?: { readonly at: string; readonly reason?: string };
  /** Idempotency keys of the commands that were taken. */
  commands: Set<string>;
  /** The process failed by itself, and nobody has recovered it yet. */
  processError?: { readonly error: ErrorInfo; readonly effectId?: string; readonly expiresAt: string };
  end?: RunEnd;
  /** Where its entries are, once the run was archived. */
  archive?: BlobRef;
}

/** `outputRef` stands in place of an output that is too large for the journal. */
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

/** Nothing moves a run that has ended. */
export function isEnded(state: RunState): boolean {
  return state.end !== undefined;
}

/** The effects that still need work, in the order of their requests. */
export function pendingEffects(state: RunState): EffectState[] {
  return [...state.pending].map((effectId) => state.effects.get(effectId) as EffectState);
}
