import type { ErrorInfo, JsonObject, JsonValue } from '@reins/contracts';
import type { TreeFile } from '@reins/workspace-tree';

/** The fields of `GET /requests/{id}` that the CLI reads. */
export interface RequestDetail {
  readonly requestId: string;
  readonly workspaceId: string;
  readonly sessionId: string;
  readonly status: string;
  readonly revision?: string;
  readonly input?: JsonValue;
  readonly inputLine?: string;
  readonly output?: JsonValue;
  readonly error?: ErrorInfo;
  readonly cancelReason?: string;
  readonly cancelledBy?: string;
  readonly halted?: boolean;
  readonly haltReason?: string;
  readonly haltedBy?: string;
  readonly acceptedAt?: string;
  readonly startedAt?: string;
  readonly endedAt?: string;
  readonly durationMs?: number;
  readonly usage?: UsageDetail;
  readonly waiting?: WaitingDetail;
  readonly waits?: readonly WaitDetail[];
  /** How many waits there are, if `waits` does not have them all. */
  readonly waitCount?: number;
  readonly keptSignals?: readonly KeptSignalDetail[];
  readonly unavailableServers?: readonly UnavailableServerDetail[];
  readonly parked?: ParkedDetail;
  readonly stages: readonly StageRunDetail[];
  readonly approvals?: readonly ApprovalDetail[];
  readonly retryOf?: string;
  readonly retriedBy?: readonly string[];
}

/** Signals of one name that nothing waited for when they arrived. */
export interface KeptSignalDetail {
  readonly name: string;
  readonly count: number;
  readonly since: string;
}

/** An MCP server that stages ran without, or without some of its tools. */
export interface UnavailableServerDetail {
  readonly serverId: string;
  readonly reason: string;
  readonly missingToolIds: readonly string[];
}

/** Why the messages of a request keep failing. */
export interface ParkedDetail {
  readonly code: string;
  readonly message: string;
  readonly since: string;
}

export interface WaitingDetail {
  readonly reason: string;
  readonly effectId: string;
  readonly expiresAt?: string;
  readonly question?: JsonValue;
  readonly questionNumber?: number;
  readonly message?: string;
  readonly signal?: string;
  /** The label that the process gave to the wait. */
  readonly label?: string;
  readonly process?: string;
  readonly error?: ErrorInfo;
  /** Who paused the request. */
  readonly pausedBy?: string;
}

/** One of the things that a request or one of its child runs waits for. */
export interface WaitDetail extends WaitingDetail {
  /** The run that waits. */
  readonly requestId: string;
  readonly since?: string;
}

export interface ApprovalDetail {
  readonly approvalId: string;
  readonly status: string;
  readonly subject?: {
    readonly kind?: string;
    readonly label?: string;
    readonly toolId?: string;
    readonly detail?: { readonly payload?: JsonValue; readonly [name: string]: JsonValue | undefined };
  };
  readonly expiresAt?: string;
  readonly resolvedAt?: string;
  readonly decidedBy?: string;
  readonly comment?: string;
}

/** Tokens, and their cost if the price is known. */
export interface UsageDetail {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  readonly costUsd?: number;
  /** How certain the sum is. Absent before the first report. */
  readonly source?: 'reported' | 'estimated' | 'unknown';
  readonly provider?: string;
  readonly model?: string;
}

/** One request in the response of `GET /requests`, with its child runs. */
export interface RequestListed {
  readonly requestId: string;
  readonly workspaceId: string;
  readonly sessionId: string;
  readonly status: string;
  readonly inputLine?: string;
  readonly acceptedAt?: string;
  readonly startedAt?: string;
  readonly durationMs?: number;
  readonly children?: readonly RequestListed[];
  readonly waiting?: WaitingDetail;
  /** What a running stage waits for. */
  readonly progress?: string;
  readonly halted?: boolean;
  readonly haltReason?: string;
  readonly retryOf?: string;
  readonly retriedBy?: readonly string[];
}

/** The place of a stage in the queue of its runtime. Without `estimatedWaitMs`, the time is unknown. */
export interface QueueDetail {
  readonly position: number;
  /** Slots of the live hosts of the runtime. 0 while there is no host. */
  readonly slots?: number;
  readonly estimatedWaitMs?: number;
}

export interface StageRunDetail {
  readonly requestId: string;
  readonly effectId?: string;
  readonly stage: string;
  readonly runtimeId: string;
  readonly runtimeSource?: string;
  readonly attempt: number;
  readonly status: string;
  /** The request that ran the stage, if this run was forked from it and shares the stage. */
  readonly sharedFrom?: string;
  /** While the stage waits for a host. */
  readonly queue?: QueueDetail;
  /** What the stage waits for: a step of its preparation, or a model call without a response. */
  readonly progress?: string;
  readonly verdict?: JsonValue;
  readonly error?: ErrorInfo;
  readonly usage?: UsageDetail;
  readonly requestedAt?: string;
  readonly startedAt?: string;
  readonly durationMs?: number;
}

/** One process of a stage in the response of `GET /agent-processes`. */
export interface AgentProcessDetail {
  readonly requestId: string;
  readonly stage: string;
  readonly runtimeId: string;
  readonly runtimeSource?: string;
  readonly attempt: number;
  readonly state: string;
  readonly hostId?: string;
  readonly startedAt?: string;
  readonly endedAt?: string;
}

/** The response of `GET /harnesses`, as far as the CLI reads it. */
export interface HarnessesDetail {
  readonly harnesses: readonly {
    readonly providers: readonly { readonly providerId: string; readonly models?: readonly string[] }[];
  }[];
}

/** One task in the response of `GET /requests/{id}/tasks`. */
export interface TaskDetail {
  readonly effectId: string;
  readonly kind: string;
  readonly taskId: string;
  readonly status: string;
  readonly label?: string;
  readonly definition?: JsonObject;
}

/** The response of `GET /requests/{id}/tree`. */
export interface TreeDetail {
  readonly tree: string;
  readonly files: readonly (TreeFile & { readonly path: string })[];
}
