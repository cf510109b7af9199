// Generated from proto/ by `npm run generate`. Do not edit.

import type { JsonObject, JsonValue } from '../json.ts';

/** `agent.handoff`: Control of the stage passes to the executor. */
export interface AgentHandoff {
  readonly type: 'runtime.adapter.event';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly event: AdapterEvent;
  readonly stage: 'interview' | 'execute' | 'evaluate' | 'reflect';
  readonly effectId: string;
  readonly attempt: number;
  readonly seq: number;
}

/** `agent.output.delta`: A part of the output text. */
export interface AgentOutputDelta {
  readonly type: 'runtime.adapter.event';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly event: AdapterEvent;
  readonly stage: 'interview' | 'execute' | 'evaluate' | 'reflect';
  readonly effectId: string;
  readonly attempt: number;
  readonly seq: number;
}

/** `agent.thinking.delta`: A part of the reasoning text. */
export interface AgentThinkingDelta {
  readonly type: 'runtime.adapter.event';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly event: AdapterEvent;
  readonly stage: 'interview' | 'execute' | 'evaluate' | 'reflect';
  readonly effectId: string;
  readonly attempt: number;
  readonly seq: number;
}

/** `agent.tool.start`: The executor calls a tool. */
export interface AgentToolStart {
  readonly type: 'runtime.adapter.event';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly event: AdapterEvent;
  readonly stage: 'interview' | 'execute' | 'evaluate' | 'reflect';
  readonly effectId: string;
  readonly attempt: number;
  readonly seq: number;
}

/** `agent.tool.result`: A tool call ended. A null output means that the outcome is unknown, never success. */
export interface AgentToolResult {
  readonly type: 'runtime.adapter.event';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly event: AdapterEvent;
  readonly stage: 'interview' | 'execute' | 'evaluate' | 'reflect';
  readonly effectId: string;
  readonly attempt: number;
  readonly seq: number;
}

/** `agent.skill.invoked`: A skill was used. The event lists the tools and commands that it grants. */
export interface AgentSkillInvoked {
  readonly type: 'runtime.adapter.event';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly event: AdapterEvent;
  readonly stage: 'interview' | 'execute' | 'evaluate' | 'reflect';
  readonly effectId: string;
  readonly attempt: number;
  readonly seq: number;
}

/** `agent.compaction.start`: The executor starts to compact its context. */
export interface AgentCompactionStart {
  readonly type: 'runtime.adapter.event';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly event: AdapterEvent;
  readonly stage: 'interview' | 'execute' | 'evaluate' | 'reflect';
  readonly effectId: string;
  readonly attempt: number;
  readonly seq: number;
}

/** `agent.compaction.end`: The compaction has ended or was aborted. */
export interface AgentCompactionEnd {
  readonly type: 'runtime.adapter.event';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly event: AdapterEvent;
  readonly stage: 'interview' | 'execute' | 'evaluate' | 'reflect';
  readonly effectId: string;
  readonly attempt: number;
  readonly seq: number;
}

/** `agent.model.call`: A model call has ended. The harness host publishes it. */
export interface AgentModelCall {
  readonly type: 'runtime.adapter.event';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly event: AdapterEvent;
  readonly stage: 'interview' | 'execute' | 'evaluate' | 'reflect';
  readonly effectId: string;
  readonly attempt: number;
  readonly seq: number;
}

/** `agent.langgraph.invoke`: A workflow invocation started. */
export interface AgentLanggraphInvoke {
  readonly type: 'runtime.adapter.event';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly event: AdapterEvent;
  readonly stage: 'interview' | 'execute' | 'evaluate' | 'reflect';
  readonly effectId: string;
  readonly attempt: number;
  readonly seq: number;
}

/** `agent.node.completed`: A workflow node completed. */
export interface AgentNodeCompleted {
  readonly type: 'runtime.adapter.event';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly event: AdapterEvent;
  readonly stage: 'interview' | 'execute' | 'evaluate' | 'reflect';
  readonly effectId: string;
  readonly attempt: number;
  readonly seq: number;
}

/** `agent.native`: A native event of the executor, emitted only if the operator enables it. */
export interface AgentNative {
  readonly type: 'runtime.adapter.event';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly event: AdapterEvent;
  readonly stage: 'interview' | 'execute' | 'evaluate' | 'reflect';
  readonly effectId: string;
  readonly attempt: number;
  readonly seq: number;
}

/** `agent.tool.output`: A tool of the workspace printed output during a call. */
export interface AgentToolOutput {
  readonly type: 'runtime.adapter.event';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly event: AdapterEvent;
  readonly stage: 'interview' | 'execute' | 'evaluate' | 'reflect';
  readonly effectId: string;
  readonly attempt: number;
  readonly seq: number;
}

/** `command.run.submit`: Submits a request. */
export interface CommandRunSubmit {
  readonly type: 'command.run.submit';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly idempotencyKey: string;
  readonly revision: string;
  readonly input: JsonValue;
  readonly attachments?: readonly BlobRef[];
  readonly model?: string;
  readonly thinkingValue?: string;
  /** Stage → runtime id, for this request only. */
  readonly stages?: Readonly<Record<string, string>>;
  readonly metadata?: JsonObject;
  /**
   * Process id: a built-in process, or the id of a workspace process (`<path>#<export>`). If absent, the process of the
   * workspace or the built-in pipeline runs. With `bare-run` the run waits until a process is assigned.
   */
  readonly process?: string;
  readonly retryOf?: string;
  readonly submittedAt: string;
  /** For a child run, the parent that waits for it. */
  readonly parent?: ParentRef;
  /** W3C trace context of the submitter, which the run continues. */
  readonly traceparent?: string;
  /** Forks another run of this workspace: the new run shares its first entries, its process and its revision. */
  readonly fork?: ForkRef;
  /** W3C trace state that belongs to the trace context. */
  readonly tracestate?: string;
  /** The user whose memory the run may use. */
  readonly userId?: string;
}

/** `command.run.cancel`: Cancels a request. */
export interface CommandRunCancel {
  readonly type: 'command.run.cancel';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly idempotencyKey: string;
  readonly reason?: string;
  readonly requestedBy?: string;
}

/** `command.run.answer`: Answers a question of the executor, or completes a task. */
export interface CommandRunAnswer {
  readonly type: 'command.run.answer';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly idempotencyKey: string;
  readonly effectId: string;
  readonly answer: JsonValue;
  /** Set instead of an answer if the task failed. */
  readonly error?: ErrorInfo;
  readonly answeredBy?: string;
  /**
   * The question that it answers: `questionNumber` of the wait. An answer to a question that is not open
   * changes nothing. An answer without a number answers the open question.
   */
  readonly questionNumber?: number;
}

/** `command.run.pause`: Pauses a request. */
export interface CommandRunPause {
  readonly type: 'command.run.pause';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly idempotencyKey: string;
  readonly reason?: string;
  readonly requestedBy?: string;
}

/** `command.run.resume`: Resumes a paused request. */
export interface CommandRunResume {
  readonly type: 'command.run.resume';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly idempotencyKey: string;
  readonly reason?: string;
  readonly requestedBy?: string;
}

/** `command.run.unpark`: Retries the held messages of a parked request now. */
export interface CommandRunUnpark {
  readonly type: 'command.run.unpark';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly idempotencyKey: string;
  readonly reason?: string;
  readonly requestedBy?: string;
}

/**
 * `command.run.halt`: Ends a run immediately, as an early success and without clean-up. Without it, a run whose process
 * cannot be fixed waits until its wait expires.
 */
export interface CommandRunHalt {
  readonly type: 'command.run.halt';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly idempotencyKey: string;
  readonly reason?: string;
  readonly payload?: JsonValue;
  readonly requestedBy?: string;
}

/**
 * `command.run.assign`: Assigns a process to a request, or replaces its process. The effects of the previous process
 * are cancelled.
 */
export interface CommandRunAssign {
  readonly type: 'command.run.assign';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly idempotencyKey: string;
  /** Process id, as in `command.run.submit`. */
  readonly process: string;
  /** Replaces the input of the request. */
  readonly inputs?: JsonValue;
  /** Replaces an already assigned process. */
  readonly force?: boolean;
  readonly reason?: string;
  readonly requestedBy?: string;
  /**
   * The workspace revision with the code. If the run already has this process, it continues with this code, provided that
   * the code matches the journal.
   */
  readonly revision?: string;
}

/**
 * `command.effect.cancel`: Cancels one effect of a run. In the process, the effect rejects with a cancellation; the process
 * continues.
 */
export interface CommandEffectCancel {
  readonly type: 'command.effect.cancel';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly idempotencyKey: string;
  readonly effectId: string;
  readonly reason?: string;
  readonly requestedBy?: string;
}

/**
 * `command.effect.invalidate`: Invalidates an effect and all later ones; the process requests them again. This corrects
 * a wrong answer without a new run.
 */
export interface CommandEffectInvalidate {
  readonly type: 'command.effect.invalidate';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly idempotencyKey: string;
  readonly effectId: string;
  readonly reason?: string;
  readonly requestedBy?: string;
}

/** `command.approval.resolve`: A person approves or denies a request for approval. */
export interface CommandApprovalResolve {
  readonly type: 'command.approval.resolve';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly idempotencyKey: string;
  readonly approvalId: string;
  readonly decision: 'approved' | 'denied';
  readonly decidedBy: string;
  readonly comment?: string;
}

/** `command.signal`: Sends an external event to a run. */
export interface CommandSignal {
  readonly type: 'command.signal';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly idempotencyKey: string;
  readonly name: string;
  readonly payload?: JsonValue;
}

/** `timer.due`: A timer of the run is due. */
export interface TimerDue {
  readonly type: 'timer.due';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly effectId: string;
  /**
   * Which timer is due: a deadline of an effect (start, prepare, run), a wake-up, the expiry of a wait, a retry delay, or
   * the grace period of a cancellation.
   */
  readonly timer: 'start' | 'prepare' | 'run' | 'wake' | 'expiry' | 'grace' | 'retry';
  readonly attempt: number;
}

/** `effect.progress`: Reports the progress of an effect. Informational. */
export interface EffectProgress {
  readonly type: 'effect.progress';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly effectId: string;
  readonly attempt: number;
  readonly percent?: number;
  readonly label?: string;
}

/** An error: its code, message, location and hint. */
export interface ErrorInfo {
  readonly code: string;
  readonly message: string;
  readonly path?: string;
  readonly hint?: string;
  /** Class name of a thrown error, such as TypeError. */
  readonly name?: string;
  /** Frames of the author's code, innermost first, one per line. */
  readonly stack?: string;
}

/** One diagnostic of the compiler. */
export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly message: string;
  readonly path?: string;
  readonly hint?: string;
  readonly file?: string;
  /** 1-based. */
  readonly line?: number;
  /** 1-based. */
  readonly column?: number;
  /** Text of the line. */
  readonly source?: string;
  /** The less precise code that earlier versions used. */
  readonly alias?: string;
}

/** A reference to a blob by its content hash. */
export interface BlobRef {
  readonly sha256: string;
  /** Size in bytes. */
  readonly size: number;
  readonly mediaType?: string;
  /** For an attachment, the original file name. */
  readonly name?: string;
}

/** Tokens and cost of model calls. */
export interface Usage {
  readonly provider?: string;
  readonly model?: string;
  readonly inputTokens: number;
  readonly cachedInputTokens?: number;
  readonly outputTokens: number;
  /** Absent if no price of the model is known. */
  readonly costUsd?: number;
  /** Whether the provider reported all tokens, or some are estimated. */
  readonly source?: 'reported' | 'estimated';
}

/** The limits of a run that its model calls must respect, and what its earlier stages have used of them. */
export interface StageBudget {
  readonly maxTokens?: number;
  readonly maxCostUsd?: number;
  readonly usedTokens: number;
  readonly usedCostUsd: number;
  /** The top-level request, if this run is a child run: all stages of that request share the budget. */
  readonly sharedBy?: string;
}

/** One model call, as the harness host measured it. */
export interface ModelCall {
  readonly provider: string;
  readonly model: string;
  /** `reported`: by the provider. `estimated`: from the text, because the response ended early. `unknown`: neither. */
  readonly usage: 'reported' | 'estimated' | 'unknown';
  /** Milliseconds from the call to its end. */
  readonly durationMs: number;
  /** The HTTP status. Absent if the provider did not respond. */
  readonly status?: number;
  /** Includes cached tokens. */
  readonly inputTokens?: number;
  readonly cachedInputTokens?: number;
  readonly outputTokens?: number;
  /** Absent if no price of the model is known. */
  readonly costUsd?: number;
  /** Milliseconds from the call to the first text, reasoning or tool call of its answer. */
  readonly firstTokenMs?: number;
}

/** The structured result of an evaluate stage. */
export interface Verdict {
  readonly outcome: 'pass' | 'fail';
  readonly score?: number;
  readonly reasons: readonly string[];
}

/** A file that a run produced for the user. */
export interface Artifact {
  readonly id: string;
  readonly path: string;
  readonly mediaType: string;
  readonly bytes: number;
  readonly sha256: string;
  /** Object-store key of the content. */
  readonly ref: string;
}

/** The subject of an approval. */
export interface ApprovalSubject {
  readonly kind: 'tool' | 'breakpoint' | 'memory' | 'budget';
  readonly toolId?: string;
  readonly callId?: string;
  readonly args?: JsonValue;
  readonly label?: string;
  readonly detail?: JsonValue;
}

/** The physical MCP server that a logical one is mapped to in this run. */
export interface McpServerMapping {
  readonly logicalId: string;
  readonly physicalId: string;
}

/** An MCP server of a stage that is unavailable, or lacks some of its tools. */
export interface DegradedServer {
  /** The logical id. */
  readonly serverId: string;
  readonly reason: string;
  readonly missingToolIds: readonly string[];
  readonly required: boolean;
}

/** A tool whose call was denied. */
export interface DeniedTool {
  readonly toolId: string;
  readonly policyId: string;
  readonly reason: string;
}

/** The deterministic function that drives a run. */
export interface ProcessRef {
  /** The id of a built-in process, such as `pipeline`, or `<path>#<export>`. */
  readonly id: string;
  /** Hash of its code. */
  readonly codeHash: string;
  /** The workspace revision with its code, if it is not the revision of the run. */
  readonly revision?: string;
}

/** The parent of a child run, and the effect that waits for the child. */
export interface ParentRef {
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly effectId: string;
  readonly attempt: number;
  /** Number of ancestors of the child. */
  readonly depth: number;
  /** The request that all these runs belong to. */
  readonly rootRequestId?: string;
}

/** The run whose first entries a forked run shares. */
export interface ForkRef {
  readonly requestId: string;
  /** Maximum number of shared entries. */
  readonly at: number;
}

/** Time limits and attempts of an effect. */
export interface Limits {
  /** Maximum time from the request until a worker claims the effect. */
  readonly startWithinMs: number;
  /** Maximum time from start to end. */
  readonly runForMs: number;
  readonly maxAttempts: number;
  /** What to do about an unknown outcome. In this version, `ask` behaves like `fail`. */
  readonly onUnknown: 'retry' | 'fail' | 'ask';
  /** Maximum time from the claim until the worker starts the effect. Default: the maximum time from start to end. */
  readonly prepareForMs?: number;
  /** What to do about an attempt that made no progress or exceeded a time limit. Default: as for other failures. */
  readonly onTimeout?: 'retry' | 'fail';
  /** What to do when the time to start has passed and no healthy host offers the runtime. Default: wait. */
  readonly onNoHost?: 'wait' | 'fail';
}

/** The runtime that failed, and that another one replaces. */
export interface ReplacedRuntime {
  readonly runtimeId: string;
  /** Why the stage failed there: an error code. */
  readonly code: string;
}

/** Where a suspended stage continues, on any host. */
export interface Suspension {
  /** The files of the stage. */
  readonly tree: string;
  /** The session of the executor, if it has one. */
  readonly harnessSessionId?: string;
  /** How many signals the attempt has published. */
  readonly signals: number;
}

/** In the request of a stage that was suspended: how it continues. */
export interface StageResume {
  /** Counts the suspensions of the stage, from 1. */
  readonly number: number;
  /** The decision that the stage waited for: the answer to its question. */
  readonly answer: JsonValue;
  /** How many signals the attempt had published before. */
  readonly signals: number;
}

/** A summary of one finished request of a session. */
export interface Turn {
  readonly requestId: string;
  readonly input: string;
  readonly output: string;
  readonly endedAt: string;
}

/** How the last request of a session ended. */
export interface LastRun {
  readonly requestId: string;
  readonly status: 'completed' | 'failed' | 'cancelled';
  /** Short reason of a failure or cancellation. */
  readonly reason?: string;
  readonly endedAt: string;
  /** The question of a stage that had no answer yet. */
  readonly question?: string;
}

/** A tool call of a stage. The signal `agent.tool.result` with this call id has its result. */
export interface ToolResultRef {
  readonly callId: string;
  readonly toolId: string;
  readonly status: 'completed' | 'failed';
  /** The size of the result as JSON. */
  readonly bytes: number;
  /** The number of the signal within the attempt. */
  readonly seq: number;
}

/** What a stage leaves to stages with another conversation, next to its output and its tree. */
export interface StageHandoff {
  /** The newest tool calls, oldest first. */
  readonly toolResults?: readonly ToolResultRef[];
  /** How many older tool calls are not listed. */
  readonly omittedResults?: number;
  /** The steps of the agent's list that were not completed. */
  readonly openSteps?: readonly string[];
  /** The start of the request that the stage worked on. */
  readonly goal?: string;
  /** What the agent decided with its reasons, and what the user answered. */
  readonly decisions?: readonly string[];
  /** The files that the stage changed, without those of Reins. */
  readonly filesChanged?: readonly HandoffFile[];
  /** How many more files the stage changed. */
  readonly omittedFiles?: number;
  /** What the agent could not settle, and what the user was asked without an answer. */
  readonly openQuestions?: readonly string[];
}

/** A file that a stage changed. */
export interface HandoffFile {
  readonly path: string;
  readonly change: 'added' | 'modified' | 'deleted';
}

/** The handoff of a stage that has ended. */
export interface EndedStage {
  readonly stage: 'interview' | 'execute' | 'evaluate' | 'reflect';
  readonly runtimeId: string;
  readonly handoff: StageHandoff;
  /** The request of the stage, if it is an earlier one of the session. */
  readonly requestId?: string;
}

/** The outcome for one context of a stage, recorded so that a missing context is visible. */
export interface ContextOutcome {
  readonly id: string;
  readonly status: 'used' | 'empty' | 'timed_out' | 'disabled' | 'failed' | 'unavailable';
  /** Estimated tokens in the prompt. */
  readonly tokens: number;
  /** Estimated tokens that exceeded the budget and were dropped. */
  readonly droppedTokens: number;
  readonly reason?: string;
}

/** The session of an executor, which the next turn of the same agent and stage on the same runtime continues. */
export interface StageSession {
  readonly agentId: string;
  readonly stage: 'interview' | 'execute' | 'evaluate' | 'reflect';
  readonly runtimeId: string;
  readonly harnessSessionId: string;
  /** The last request that is part of it. */
  readonly requestId: string;
}

/** What a request inherits from its session. */
export interface SessionState {
  readonly lastRequestId?: string;
  /** The workspace revision of the last request. */
  readonly revision?: string;
  /** The workspace tree at the end of the last request. */
  readonly tree?: string;
  /** Runtime id → session id of the executor. Only in requests of earlier versions. */
  readonly harnessSessions?: Readonly<Record<string, string>>;
  /** Oldest first. */
  readonly turns?: readonly Turn[];
  readonly compactionBoundary?: string;
  readonly lastRun?: LastRun;
  /** Absent in requests of earlier versions. */
  readonly stageSessions?: readonly StageSession[];
  /** The stages of the last request that completed. Absent if they leave nothing. */
  readonly endedStages?: readonly EndedStage[];
}

/** How runs of a workspace use the memory of one scope. */
export interface MemoryUse {
  readonly scope: 'user' | 'workspace' | 'agent' | 'session';
  /** Maximum number of recalled records. 0: none are recalled. */
  readonly limit: number;
  /** Maximum tokens of the recalled records in the prompt, estimated. */
  readonly maxTokens: number;
}

/**
 * `control.directive.emitted`: The control bus made a control decision. The tuple (targetType, targetId, directive,
 * idempotencyKey) identifies it.
 */
export interface ControlDirectiveEmitted {
  readonly type: 'control.directive.emitted';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly schemaVersion: number;
  readonly targetType: 'session' | 'execution' | 'lineage' | 'agent_process' | 'contract' | 'execution_node';
  readonly targetId: string;
  readonly directive: 'continue' | 'evaluate' | 'evolve' | 'unstuck' | 'retry' | 'compact' | 'wait' | 'cancel' | 'converge';
  /** Derived: true only for `cancel` and `converge`. */
  readonly isTerminal: boolean;
  readonly emittedBy: string;
  readonly reason: string;
  readonly phase?: string;
  readonly executionId?: string;
  readonly lineageId?: string;
  readonly generationNumber?: number;
  readonly contextSnapshotId?: string;
  readonly parentDirectiveId?: string;
  readonly idempotencyKey?: string;
  /**
   * Keys in snake_case: stage, runtime_id, runtime_source, effect_id, attempt, lifecycle_status. After an assignment:
   * process, corrected, requested_by, reason. After a pause or a resumption: requested_by. After an answer: answered_by.
   */
  readonly extra?: JsonObject;
}

/** One message of the journal: one or more entries that are appended together. */
export interface JournalCommit {
  readonly entries: readonly JournalEntry[];
  /** Fencing epoch of the partition owner that appended it. */
  readonly epoch: number;
}

/** One journal entry. `hash` is the SHA-256 (hex) of the canonical JSON (RFC 8785) of the entry without `hash`. */
export interface JournalEntry {
  /** Consecutive, starting at 1. */
  readonly version: number;
  readonly type: string;
  readonly recordedAt: string;
  /** Data of the entry. The sections below list its fields by `type`. */
  readonly data: JsonObject;
  /** Hash of the previous entry; empty for the first. */
  readonly prev: string;
  readonly hash: string;
}

/** `RUN_CREATED`: The run was created. */
export interface EntryRunCreated {
  readonly workspaceId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly revision: string;
  readonly process: ProcessRef;
  readonly inputs: JsonValue;
  readonly session: SessionState;
  readonly idempotencyKey: string;
  readonly retryOf?: string;
  /**
   * Source of a fork: requestId, version and identity. A forked request also has shared (number of shared entries) and
   * at (time).
   */
  readonly forkedFrom?: JsonObject;
  /** Metadata of the creator: prompt, harness, and further fields that a run directory keeps in run.json. */
  readonly metadata?: JsonObject;
  /** For a child run, the parent that waits for it. */
  readonly parent?: ParentRef;
  /** W3C trace context of the run, independent of its owner. */
  readonly traceparent?: string;
  /** Deadline for assigning a process to a request without one. */
  readonly assignBy?: string;
  /** Set instead of large inputs if the journal store keeps them separately, as a run directory does. */
  readonly inputsRef?: BlobRef;
  /** W3C trace state that belongs to the trace context. */
  readonly tracestate?: string;
  /** The user whose memory the run may use. A process cannot choose it. */
  readonly userId?: string;
}

/** `PROCESS_ASSIGNED`: A process was assigned to the run, or replaced the previous one. */
export interface EntryProcessAssigned {
  readonly process: ProcessRef;
  readonly inputs?: JsonValue;
  /** The previous process; absent after `continueAsNew`. */
  readonly previous?: ProcessRef;
  /** True if the assignment may replace an existing process. */
  readonly force?: boolean;
  /** Metadata of the request, if no earlier entry contains it. */
  readonly metadata?: JsonObject;
  readonly reason?: string;
  readonly requestedBy?: string;
  /** Idempotency key of the command; duplicates are ignored. */
  readonly idempotencyKey?: string;
  /** Set instead of large inputs, as in RUN_CREATED. */
  readonly inputsRef?: BlobRef;
}

/** `PROCESS_CODE_CHANGED`: The code of the process changed. */
export interface EntryProcessCodeChanged {
  readonly from: string;
  readonly to: string;
  readonly reason?: string;
  /** Set if a command gave the run corrected code: the workspace revision with this code. */
  readonly revision?: string;
  readonly requestedBy?: string;
  /** Idempotency key of the command; duplicates are ignored. */
  readonly idempotencyKey?: string;
}

/** `PROCESS_LOG`: The process wrote a log message. */
export interface EntryProcessLog {
  readonly label?: string;
  readonly message: JsonValue;
}

/** `EFFECT_PROGRESS`: An effect reported progress. */
export interface EntryEffectProgress {
  readonly effectId: string;
  readonly percent?: number;
  readonly label?: string;
}

/** `COST_TRACKED`: A stage used a model. */
export interface EntryCostTracked {
  readonly effectId: string;
  readonly stage: 'interview' | 'execute' | 'evaluate' | 'reflect';
  readonly runtimeId: string;
  readonly usage: Usage;
}

/** `EFFECT_REQUESTED`: The process requested an effect. */
export interface EntryEffectRequested {
  readonly effectId: string;
  readonly kind: string;
  readonly attempt: number;
  /** Identity of the invocation within the run. */
  readonly key: string;
  readonly argsHash: string;
  /** Fields of the `….requested` fact for this effect kind. */
  readonly request: JsonObject;
  readonly limits: Limits;
  readonly label?: string;
  /** The complete request if it is large; `request` then has only the small fields. */
  readonly requestRef?: BlobRef;
}

/** `EFFECT_CLAIMED`: A worker claimed the attempt and prepares it. From now on its outcome may be unknown. */
export interface EntryEffectClaimed {
  readonly effectId: string;
  readonly attempt: number;
  readonly hostId?: string;
}

/** `EFFECT_STARTED`: A worker started the effect. */
export interface EntryEffectStarted {
  readonly effectId: string;
  readonly attempt: number;
  readonly hostId?: string;
  /** Fields of the `….started` fact for this effect kind. */
  readonly value?: JsonObject;
}

/** `EFFECT_WAITING`: The executor waits for input or a decision. */
export interface EntryEffectWaiting {
  readonly effectId: string;
  readonly reason: 'user' | 'approval' | 'budget';
  readonly question: JsonValue;
  readonly expiresAt?: string;
  /** What the wait concerns: the effect that asked, an approval or a budget. */
  readonly subject?: string;
  /** Set if the work is suspended: no host works on it, and it is requested again after the decision. */
  readonly suspended?: Suspension;
  /** The number of the question within the run. An answer names it. */
  readonly questionNumber?: number;
  /** What the work has used since it was last requested. Its result has only what it uses after the answer. */
  readonly usage?: Usage;
}

/** `EFFECT_ANSWERED`: The question of the executor was answered. */
export interface EntryEffectAnswered {
  readonly effectId: string;
  readonly answer: JsonValue;
  /** Set if the work was suspended: it is requested again, with this number. */
  readonly resumption?: number;
  /** The command that answered. A repetition of it does not answer the next question. */
  readonly idempotencyKey?: string;
  /** The person who answered. */
  readonly answeredBy?: string;
}

/** `EFFECT_ATTEMPT_FAILED`: An attempt failed, or its outcome is unknown. */
export interface EntryEffectAttemptFailed {
  readonly effectId: string;
  readonly attempt: number;
  readonly outcome: 'failed' | 'unknown';
  readonly error: ErrorInfo;
  readonly retryable: boolean;
  readonly usage?: Usage;
  /** Absent if there is no next attempt. */
  readonly nextAttempt?: number;
  /** Changes to the request for the next attempt, such as another runtime. */
  readonly nextRequest?: JsonObject;
  readonly nextDirective?: 'retry' | 'unstuck';
}

/** `EFFECT_RESOLVED`: The effect has its final result. */
export interface EntryEffectResolved {
  readonly effectId: string;
  readonly attempt: number;
  readonly status: 'ok' | 'error';
  /** Fields of the `….completed` fact for this effect kind. */
  readonly value?: JsonValue;
  /** Set instead of a large value. */
  readonly valueRef?: BlobRef;
  readonly error?: ErrorInfo;
  readonly retryable?: boolean;
  /** Who answered a task. */
  readonly answeredBy?: string;
}

/** `EFFECT_CANCELLED`: The effect was cancelled. */
export interface EntryEffectCancelled {
  readonly effectId: string;
  readonly attempt: number;
  readonly reason?: string;
  /** True if the worker confirmed it; false if the grace period ended. */
  readonly confirmed: boolean;
}

/** `SIGNAL_RECEIVED`: The run received an external event. */
export interface EntrySignalReceived {
  readonly name: string;
  readonly payload?: JsonValue;
  /** The waiting effect that the signal resolves. */
  readonly effectId?: string;
  /** Idempotency key of the command; duplicates are ignored. */
  readonly idempotencyKey?: string;
}

/** `EFFECT_INVALIDATED`: An effect and all later ones became invalid; the process requests them again. */
export interface EntryEffectInvalidated {
  readonly effectId: string;
  readonly reason?: string;
  readonly requestedBy?: string;
  readonly idempotencyKey: string;
}

/** `APPROVAL_RESOLVED`: An approval was granted, denied, or expired. */
export interface EntryApprovalResolved {
  readonly approvalId: string;
  readonly effectId?: string;
  readonly decision: 'approved' | 'denied' | 'expired';
  readonly decidedBy: string;
  readonly comment?: string;
}

/** `BUDGET_EXCEEDED`: A budget was exceeded. This version does not append it. */
export interface EntryBudgetExceeded {
  readonly budget: string;
  readonly limit: number;
  readonly used: number;
  readonly action: 'pause' | 'fail';
}

/** `PROCESS_RUNTIME_ERROR`: The process failed. An operator can fix and resume it. */
export interface EntryProcessRuntimeError {
  readonly error: ErrorInfo;
  readonly effectId?: string;
  readonly expected?: JsonValue;
  readonly actual?: JsonValue;
  readonly expiresAt: string;
}

/** `RUN_PAUSED`: An operator paused the run. Answers are still recorded, and the process receives them after it resumes. */
export interface EntryRunPaused {
  readonly reason?: string;
  readonly requestedBy?: string;
  readonly idempotencyKey: string;
  /** Set if the owner of the run paused it, because the run is damaged. */
  readonly error?: ErrorInfo;
}

/** `RUN_RESUMED`: An operator resumed the run, after a pause or after a process error was fixed. */
export interface EntryRunResumed {
  readonly reason?: string;
  readonly requestedBy?: string;
  readonly idempotencyKey: string;
}

/** `RUN_CANCEL_REQUESTED`: The cancellation of the run was requested. */
export interface EntryRunCancelRequested {
  readonly reason?: string;
  readonly requestedBy?: string;
  readonly idempotencyKey: string;
}

/** `RUN_COMPLETED`: The run completed successfully. */
export interface EntryRunCompleted {
  readonly output: JsonValue;
  /** Set instead of a large output, as in RUN_CREATED. */
  readonly outputRef?: BlobRef;
  /**
   * Set to `told` if the journal was corrupted and this entry restores an end that was already published. See
   * RUN_FAILED.
   */
  readonly sealed?: 'told';
}

/** `RUN_FAILED`: The run failed. */
export interface EntryRunFailed {
  readonly error: ErrorInfo;
  /**
   * Set only if the partition owner ended the run because its journal is corrupted. `told`: the end was already
   * published in the event log, and this entry restores it. `failed`: the owner failed the run because of the
   * corruption.
   */
  readonly sealed?: 'failed' | 'told';
}

/** `RUN_CANCELLED`: The run was cancelled. */
export interface EntryRunCancelled {
  readonly reason?: string;
  /**
   * Set to `told` if the journal was corrupted and this entry restores an end that was already published. See
   * RUN_FAILED.
   */
  readonly sealed?: 'told';
}

/** `RUN_HALTED`: The process, or an operator, ended the run early. */
export interface EntryRunHalted {
  readonly reason?: string;
  readonly payload?: JsonValue;
  /**
   * Set to `told` if the journal was corrupted and this entry restores an end that was already published. See
   * RUN_FAILED.
   */
  readonly sealed?: 'told';
  /** The operator who halted the run. */
  readonly requestedBy?: string;
}

/** `RUN_ARCHIVED`: The run was archived. This stub replaces its journal in the stream. */
export interface EntryRunArchived {
  readonly archiveRef: BlobRef;
  readonly headHash: string;
  readonly terminalType: string;
}

/** Something that is remembered in one namespace. */
export interface MemoryRecord {
  readonly id: string;
  /** `<scope>/<id>`, such as `workspace/quickstart` or `session/quickstart/s1`. */
  readonly namespace: string;
  readonly kind: 'fact' | 'preference' | 'procedure' | 'episode' | 'profile' | 'session';
  readonly text: string;
  /** Structured data in addition to the text. */
  readonly data?: JsonValue;
  readonly source: MemorySource;
  /** What or who the record is about. */
  readonly subject?: string;
  readonly confidence: number;
  readonly createdAt: string;
  /** Start of the record's validity. Absent: always valid. */
  readonly validFrom?: string;
  /** End of the record's validity. Absent: no end. */
  readonly validUntil?: string;
  /** The record that this one replaces. */
  readonly supersedes?: string;
  readonly sensitivity: 'public' | 'internal' | 'personal';
}

/** Where a record comes from. */
export interface MemorySource {
  readonly requestId?: string;
  readonly effectId?: string;
  readonly tool?: string;
  readonly person?: string;
}

/** What is left of a record that was forgotten. */
export interface MemoryStub {
  readonly id: string;
  readonly kind: string;
  readonly createdAt: string;
}

/** On the stream MEMORY: a record was written. It supersedes the record that it names. */
export interface MemoryRecordWritten {
  readonly type: 'memory.record.written';
  readonly record: MemoryRecord;
}

/** On the stream MEMORY: records of one namespace were forgotten. Their messages are then erased from the stream. */
export interface MemoryRecordsForgotten {
  readonly type: 'memory.records.forgotten';
  readonly namespace: string;
  readonly records: readonly MemoryStub[];
  readonly forgottenAt: string;
  readonly source: MemorySource;
  readonly reason?: string;
}

/** On the stream MEMORY: a person said whether a record is useful. The last rating of each person counts. */
export interface MemoryRecordRated {
  readonly type: 'memory.record.rated';
  readonly namespace: string;
  readonly recordId: string;
  readonly useful: boolean;
  readonly ratedAt: string;
  readonly source: MemorySource;
}

/** The call `add`: remember a text. The result is a `MemoryDecision`. */
export interface MemoryAddCall {
  readonly namespace: string;
  readonly kind: string;
  readonly text: string;
  readonly data?: JsonValue;
  readonly source: MemorySource;
  readonly subject?: string;
  /** Default: 1. */
  readonly confidence?: number;
  readonly validFrom?: string;
  readonly validUntil?: string;
  readonly supersedes?: string;
  /** Default: `personal` in the namespace of a user, otherwise `internal`. */
  readonly sensitivity?: 'public' | 'internal' | 'personal';
}

/** The call `edit`: supersede a record by one with another text. The result is a `MemoryDecision`. */
export interface MemoryEditCall {
  readonly id: string;
  readonly text: string;
  readonly source: MemorySource;
}

/** The call `rate`: say whether a record is useful. The result is the record. */
export interface MemoryRateCall {
  readonly id: string;
  readonly useful: boolean;
  readonly source: MemorySource;
}

/** The call `forget`: forget a record with all that it supersedes. The result is a `MemoryForgotten`. */
export interface MemoryForgetCall {
  readonly id: string;
  readonly source: MemorySource;
  readonly reason?: string;
}

/** The calls `show` and `history`: one record, or the record with its earlier and later versions, oldest first. */
export interface MemoryIdCall {
  readonly id: string;
}

/** The call `list`. The result is a `MemoryPage`. */
export interface MemoryListCall {
  readonly namespace?: string;
  readonly kind?: string;
  /** Default: `active`. */
  readonly status?: 'active' | 'superseded' | 'forgotten' | 'any';
  /** Only records that match: words, "phrases", `or` and `-excluded` words. */
  readonly query?: string;
  readonly limit?: number;
  /** `next` of the previous page. */
  readonly before?: string;
}

/** A record as calls return it. A forgotten record has no text. */
export interface MemoryEntry {
  readonly id: string;
  readonly namespace: string;
  readonly kind: string;
  /** `active`, `superseded` or `forgotten`. */
  readonly status: string;
  readonly text?: string;
  readonly data?: JsonValue;
  readonly source?: MemorySource;
  readonly subject?: string;
  readonly confidence?: number;
  readonly createdAt: string;
  readonly validFrom?: string;
  readonly validUntil?: string;
  readonly supersedes?: string;
  readonly supersededBy?: string;
  readonly sensitivity?: string;
  readonly forgottenAt?: string;
  readonly reason?: string;
  /** How many people rated the record as useful, and how many as useless. Absent: no one has. */
  readonly ratings?: MemoryRatings;
}

/** How many people rated a record. */
export interface MemoryRatings {
  readonly useful: number;
  readonly useless: number;
}

/** The result of `list` and `history`. */
export interface MemoryPage {
  readonly records: readonly MemoryEntry[];
  /** Absent: there are no more records. */
  readonly next?: string;
}

/** The result of `add` and `edit`. A duplicate names the record that already says the same. */
export interface MemoryDecision {
  readonly decision: 'accepted' | 'superseded' | 'duplicate';
  readonly record: MemoryEntry;
}

/** The result of `forget`. */
export interface MemoryForgotten {
  readonly recordIds: readonly string[];
}

/** The result of `namespaces`, ordered by name. */
export interface MemoryNamespaces {
  readonly namespaces: readonly MemoryNamespace[];
}

/** A namespace and the number of its records. */
export interface MemoryNamespace {
  readonly namespace: string;
  readonly active: number;
  readonly superseded: number;
  readonly forgotten: number;
}

/** The result of `verify` and `rebuild`: the tables of the memory service compared with the stream. */
export interface MemoryVerification {
  /** Last sequence that was compared. */
  readonly seq: number;
  readonly records: number;
  /** Ids of records that differ, at most 100. */
  readonly differences: readonly string[];
}

/** The call `recall`: the records that matter most for a query, best first. The result is a `MemoryRecall`. */
export interface MemoryRecallCall {
  readonly namespaces: readonly string[];
  /** A sentence or some words. An empty query recalls the most important and newest records. */
  readonly query: string;
  /** Default: 8. */
  readonly limit?: number;
}

/** The result of `recall`. */
export interface MemoryRecall {
  readonly recalled: readonly MemoryRecalled[];
}

/** A recalled record with its score, from 0 to 1, and the signals that the score consists of. */
export interface MemoryRecalled {
  readonly record: MemoryEntry;
  readonly score: number;
  readonly signals: MemorySignals;
}

/** The signals of a recalled record, each from 0 to 1. */
export interface MemorySignals {
  /** The share of the query's words that the record has; rare words count more. */
  readonly text: number;
  /** The share of the names and numbers of the query that the record has. */
  readonly entities: number;
  /** 1 for a new record; it halves every 30 days. */
  readonly recency: number;
  /** That of the kind of the record, times its confidence. */
  readonly importance: number;
  /** How different the record is from the better ones before it. */
  readonly diversity: number;
  /** The share of people who rated it as useful; 0.5 if no one has rated it. */
  readonly usage: number;
}

/** `runtime.approval.requested`: A person must approve or deny something. */
export interface RuntimeApprovalRequested {
  readonly type: 'runtime.approval.requested';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly approvalId: string;
  readonly subject: ApprovalSubject;
  readonly expiresAt: string;
}

/** `runtime.approval.resolved`: An approval was granted, denied, or expired. */
export interface RuntimeApprovalResolved {
  readonly type: 'runtime.approval.resolved';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly approvalId: string;
  readonly decision: 'approved' | 'denied' | 'expired';
  readonly decidedBy: string;
  readonly comment?: string;
}

/** `runtime.usage.recorded`: Tokens and cost of a stage. */
export interface RuntimeUsageRecorded {
  readonly type: 'runtime.usage.recorded';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly stage: 'interview' | 'execute' | 'evaluate' | 'reflect';
  readonly runtimeId: string;
  readonly provider: string;
  readonly model: string;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  /** Absent if no price of the model is known. */
  readonly costUsd?: number;
  /** Whether the provider reported all tokens, or some are estimated. */
  readonly source?: 'reported' | 'estimated';
}

/** `runtime.budget.exceeded`: A budget was exceeded. This version does not publish it. */
export interface RuntimeBudgetExceeded {
  readonly type: 'runtime.budget.exceeded';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly budget: string;
  readonly limit: number;
  readonly used: number;
  readonly action: 'pause' | 'fail';
}

/** `runtime.harness.available`: A host offers this runtime. */
export interface RuntimeHarnessAvailable {
  readonly type: 'runtime.harness.available';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly runtimeId: string;
  readonly hostId: string;
  readonly version: string;
  readonly reason?: string;
}

/** `runtime.harness.unavailable`: A host no longer offers this runtime. */
export interface RuntimeHarnessUnavailable {
  readonly type: 'runtime.harness.unavailable';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly runtimeId: string;
  readonly hostId: string;
  readonly version: string;
  readonly reason?: string;
}

/** `runtime.memory.lifecycle`: A memory hook ran. */
export interface RuntimeMemoryLifecycle {
  readonly type: 'runtime.memory.lifecycle';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly hook: 'read-before-plan' | 'read-before-finalize' | 'write-after-run';
}

/** `runtime.memory.recall.requested`: Requests a recall from memory. */
export interface RuntimeMemoryRecallRequested {
  readonly type: 'runtime.memory.recall.requested';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly effectId: string;
  /** A scope: `user`, `workspace`, `agent` or `session`. The namespace is that of the run. */
  readonly namespace: string;
  readonly query: string;
  /** Number of the attempt. */
  readonly attempt?: number;
  /** After this time, the run continues without the answer. */
  readonly deadline?: string;
  /** The user of the run, as recorded when it was created. */
  readonly userId?: string;
  /** Maximum number of records. Default: 8. */
  readonly limit?: number;
  /** Maximum tokens of the context, estimated. Default: 300. */
  readonly maxTokens?: number;
  /** The memory hook that recalls. */
  readonly hook?: 'read-before-plan' | 'read-before-finalize';
}

/** `runtime.memory.recall.completed`: A recall from memory completed. */
export interface RuntimeMemoryRecallCompleted {
  readonly type: 'runtime.memory.recall.completed';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly namespace: string;
  readonly recordIds: readonly string[];
  /** The text for the prompt; empty if no record matters. */
  readonly context: JsonValue;
  readonly effectId?: string;
  /** How many records matter, but did not fit within the tokens. */
  readonly omitted?: number;
}

/** `runtime.memory.recall.failed`: A recall from memory failed. The run continues without it. */
export interface RuntimeMemoryRecallFailed {
  readonly type: 'runtime.memory.recall.failed';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly effectId: string;
  /** As requested. */
  readonly namespace?: string;
  /** The code `effect_timed_out` says that the memory service did not answer in time. */
  readonly error: ErrorInfo;
}

/** `runtime.memory.candidate.submitted`: A memory write was proposed. */
export interface RuntimeMemoryCandidateSubmitted {
  readonly type: 'runtime.memory.candidate.submitted';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly candidate: JsonValue;
  readonly decision: JsonValue;
  readonly record?: JsonValue;
}

/** `runtime.memory.approval.requested`: A memory operation needs approval. */
export interface RuntimeMemoryApprovalRequested {
  readonly type: 'runtime.memory.approval.requested';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly approval: JsonValue;
}

/** `runtime.memory.plugin.started`: A memory plugin started. */
export interface RuntimeMemoryPluginStarted {
  readonly type: 'runtime.memory.plugin.started';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly memoryId: string;
  readonly provider: string;
  readonly namespace: string;
}

/** `runtime.memory.plugin.completed`: A memory plugin completed. */
export interface RuntimeMemoryPluginCompleted {
  readonly type: 'runtime.memory.plugin.completed';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly memoryId: string;
  readonly provider: string;
  readonly namespace: string;
  readonly candidateCount: number;
}

/** `runtime.memory.plugin.failed`: A memory plugin failed. */
export interface RuntimeMemoryPluginFailed {
  readonly type: 'runtime.memory.plugin.failed';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly memoryId: string;
  readonly provider: string;
  readonly namespace: string;
  readonly error: ErrorInfo;
}

/** `runtime.memory.maintenance.started`: Memory maintenance started. */
export interface RuntimeMemoryMaintenanceStarted {
  readonly type: 'runtime.memory.maintenance.started';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly target: string;
}

/** `runtime.memory.maintenance.completed`: Memory maintenance completed. */
export interface RuntimeMemoryMaintenanceCompleted {
  readonly type: 'runtime.memory.maintenance.completed';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly target: string;
  readonly operationCount: number;
}

/** `runtime.memory.maintenance.failed`: Memory maintenance failed. */
export interface RuntimeMemoryMaintenanceFailed {
  readonly type: 'runtime.memory.maintenance.failed';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly target: string;
  readonly error: ErrorInfo;
}

/** `runtime.plan.requested`: Requests the compilation of a workspace revision into a plan. */
export interface RuntimePlanRequested {
  readonly type: 'runtime.plan.requested';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly effectId: string;
  /** Tree id of the workspace revision. */
  readonly revision: string;
  /** Number of the attempt. */
  readonly attempt: number;
}

/** `runtime.plan.compiled`: The workspace was compiled. The diagnostics are warnings. */
export interface RuntimePlanCompiled {
  readonly type: 'runtime.plan.compiled';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly effectId: string;
  readonly planRef: BlobRef;
  readonly configChecksum: string;
  readonly inputsChecksum: string;
  readonly diagnostics: readonly Diagnostic[];
  /** Authored pipeline settings for the process: stages, maxIterations. */
  readonly pipeline?: JsonObject;
  /** Authored runtime profile: default, stages. */
  readonly runtimeProfile?: JsonObject;
  /** Authored limits of the model calls of a run: maxTokens, maxCostUsd. */
  readonly budget?: JsonObject;
  /** The memory that runs use: for each scope, what is recalled. */
  readonly memory?: readonly MemoryUse[];
}

/** `runtime.plan.rejected`: The workspace does not compile. The event lists all diagnostics. */
export interface RuntimePlanRejected {
  readonly type: 'runtime.plan.rejected';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly effectId: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** `runtime.prepare.requested`: Requests the preparation of a stage. */
export interface RuntimePrepareRequested {
  readonly type: 'runtime.prepare.requested';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly effectId: string;
  readonly stage: 'interview' | 'execute' | 'evaluate' | 'reflect';
  readonly runtimeId: string;
  readonly planRef: BlobRef;
  readonly iteration: number;
  /** Fields of the request: input, attachments, model, thinkingValue, metadata. */
  readonly input: JsonValue;
  /** Outputs of earlier stages and the session: interview, verdict, reflection, previous, session. */
  readonly context?: JsonObject;
  /** Workspace tree that the stage starts from. */
  readonly tree: string;
  /** Number of the attempt. */
  readonly attempt: number;
}

/** `runtime.prepare.completed`: The stage was prepared, and its host request is stored. */
export interface RuntimePrepareCompleted {
  readonly type: 'runtime.prepare.completed';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly effectId: string;
  readonly hostRequestRef: BlobRef;
  readonly snapshotRef: BlobRef;
  readonly fingerprint: string;
  /** Duration of each step in milliseconds. */
  readonly timings: Readonly<Record<string, number>>;
  /** Outcome of each context. */
  readonly contexts?: readonly ContextOutcome[];
  /** Problems that do not stop the stage: omitted skills, unreadable attachments, an unknown thinking value. */
  readonly warnings?: readonly Diagnostic[];
  /** Source of the choice of the model. */
  readonly modelSource?: 'request' | 'installation' | 'agent' | 'default';
  /** Workspace tree that the stage starts from, if the preparation added files to the requested tree. */
  readonly tree?: string;
}

/** `runtime.prepare.failed`: The stage could not be prepared. */
export interface RuntimePrepareFailed {
  readonly type: 'runtime.prepare.failed';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly effectId: string;
  readonly error: ErrorInfo;
  /** All problems, including `error`, if there is more than one. */
  readonly problems?: readonly ErrorInfo[];
}

/** `runtime.request.started`: The request was accepted and its run was created. */
export interface RuntimeRequestStarted {
  readonly type: 'runtime.request.started';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  /** For a child run, the parent that waits for it. */
  readonly parent?: ParentRef;
  /** First line of the input, at most 120 characters. */
  readonly inputLine?: string;
  /** The request that this one retries, in whole or in part. */
  readonly retryOf?: string;
  /** The input, unless the journal stores it by reference. */
  readonly input?: JsonValue;
  /** The request that this one is a fork of. */
  readonly forkedFrom?: string;
}

/** `runtime.request.completed`: The request completed successfully. Terminal. */
export interface RuntimeRequestCompleted {
  readonly type: 'runtime.request.completed';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly output: JsonValue;
  /** True if the process or an operator ended the run early. */
  readonly halted?: boolean;
  /** Why it was ended early. */
  readonly reason?: string;
  /** Who ended it early, if that was not the process. */
  readonly haltedBy?: string;
}

/** `runtime.request.failed`: The request failed. Terminal. */
export interface RuntimeRequestFailed {
  readonly type: 'runtime.request.failed';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly error: ErrorInfo;
}

/** `runtime.request.cancelled`: The request was cancelled. Terminal. */
export interface RuntimeRequestCancelled {
  readonly type: 'runtime.request.cancelled';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly reason?: string;
  /** Who cancelled it. */
  readonly cancelledBy?: string;
}

/** `runtime.request.waiting`: The run is suspended and waits. */
export interface RuntimeRequestWaiting {
  readonly type: 'runtime.request.waiting';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  /**
   * What the run waits for. `process`: an operator must assign a process. `operator`: the run is paused, or its process
   * failed and must be fixed. `child`: a child run. `signal`: an external event.
   */
  readonly reason: 'user' | 'approval' | 'breakpoint' | 'timer' | 'budget' | 'signal' | 'child' | 'operator' | 'process';
  readonly effectId: string;
  readonly expiresAt?: string;
  /**
   * What it waits for, in words: the question, the signal, the time, the child run, the error of the process, or the
   * reason of the pause.
   */
  readonly message?: string;
  /** Name of the signal. */
  readonly signal?: string;
  /** The error of the process, or `run_damaged`, if the run waits for an operator because of it. */
  readonly error?: ErrorInfo;
  /** The number of the question, if the run waits for an answer. The answer names it. */
  readonly questionNumber?: number;
  /** The process that failed, if the run waits for an operator because of its error. */
  readonly process?: string;
  /** The label that the process gave to the timer, the signal or the child run. */
  readonly label?: string;
}

/** `runtime.request.resumed`: The run continues. */
export interface RuntimeRequestResumed {
  readonly type: 'runtime.request.resumed';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly effectId: string;
}

/** `runtime.signal.kept`: A signal arrived that nothing waited for. The run keeps it until its process waits for it. */
export interface RuntimeSignalKept {
  readonly type: 'runtime.signal.kept';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  /** Name of the signal. */
  readonly signal: string;
}

/** `runtime.execution.contract.failed`: The event log lacks evidence that the execution contract requires. */
export interface RuntimeExecutionContractFailed {
  readonly type: 'runtime.execution.contract.failed';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly reason: string;
  readonly missingEvidenceTools?: readonly string[];
}

/** `runtime.stage.requested`: Requests a stage run on this runtime. The subject ends in the runtime id. */
export interface RuntimeStageRequested {
  readonly type: 'runtime.stage.requested';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly effectId: string;
  readonly stage: 'interview' | 'execute' | 'evaluate' | 'reflect';
  readonly runtimeId: string;
  readonly attempt: number;
  readonly hostRequestRef: BlobRef;
  /** Deadline of the attempt. */
  readonly deadline: string;
  readonly limits: Limits;
  readonly tree: string;
  readonly harnessSessionId?: string;
  /** Where the choice of the runtime came from. `fallback`: it replaces a runtime that failed. */
  readonly runtimeSource?: 'request' | 'stage' | 'default' | 'fallback';
  /** Set if the stage was suspended: it continues from `tree` and `harnessSessionId` with this decision. */
  readonly resume?: StageResume;
  /** Set if the workspace limits the model calls of a run. */
  readonly budget?: StageBudget;
  /** Set for a fallback: what failed before. */
  readonly replaces?: ReplacedRuntime;
}

/** `runtime.stage.claimed`: A host claimed the stage run and prepares it. Published if the preparation takes more than 100 ms. */
export interface RuntimeStageClaimed {
  readonly type: 'runtime.stage.claimed';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly effectId: string;
  readonly stage: 'interview' | 'execute' | 'evaluate' | 'reflect';
  readonly runtimeId: string;
  readonly attempt: number;
  readonly hostId: string;
}

/** `runtime.stage.progress`: The preparation of the stage run has reached another step, if it takes more than 100 ms. After the start: a model call has no response for ten seconds or longer, or the stage continues after it. */
export interface RuntimeStageProgress {
  readonly type: 'runtime.stage.progress';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly effectId: string;
  readonly stage: 'interview' | 'execute' | 'evaluate' | 'reflect';
  readonly runtimeId: string;
  readonly attempt: number;
  /** What the stage run waits for, in words: `installing npm:name@1.2.3`. */
  readonly label: string;
}

/** `runtime.stage.started`: A host started the stage run. */
export interface RuntimeStageStarted {
  readonly type: 'runtime.stage.started';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly effectId: string;
  readonly stage: 'interview' | 'execute' | 'evaluate' | 'reflect';
  readonly runtimeId: string;
  readonly attempt: number;
  readonly hostId: string;
  readonly harnessSessionId?: string;
  readonly mcpServerMappings: readonly McpServerMapping[];
  readonly timings: Readonly<Record<string, number>>;
  /** Each is also published as `runtime.mcp.server.unavailable`. */
  readonly degradedServers?: readonly DegradedServer[];
  /** Source of the runtime. Set for shared stages of a fork, whose requests are not published. */
  readonly runtimeSource?: 'request' | 'stage' | 'default' | 'fallback';
  /** Tree at the start of the stage. Set for shared stages of a fork. */
  readonly tree?: string;
}

/** `runtime.stage.completed`: The stage run completed. Published only after an explicit success. */
export interface RuntimeStageCompleted {
  readonly type: 'runtime.stage.completed';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly effectId: string;
  readonly stage: 'interview' | 'execute' | 'evaluate' | 'reflect';
  readonly runtimeId: string;
  readonly attempt: number;
  readonly output: JsonValue;
  readonly tree: string;
  readonly verdict?: Verdict;
  readonly usage?: Usage;
  readonly harnessSessionId?: string;
  readonly artifacts?: readonly Artifact[];
  readonly timings?: Readonly<Record<string, number>>;
  /** Servers lost during the stage run. Each is also published as `runtime.mcp.server.unavailable`. */
  readonly degradedServers?: readonly DegradedServer[];
  /**
   * Hosts of this version publish `runtime.tool.denied` when a call is denied, and leave this list empty. The control bus
   * publishes the same event for each item in an answer of an older host.
   */
  readonly deniedTools?: readonly DeniedTool[];
  /** Absent if the stage called no tools and left no steps open. */
  readonly handoff?: StageHandoff;
}

/** `runtime.stage.waiting`: The executor asks the user a question. */
export interface RuntimeStageWaiting {
  readonly type: 'runtime.stage.waiting';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly effectId: string;
  readonly stage: 'interview' | 'execute' | 'evaluate' | 'reflect';
  readonly runtimeId: string;
  readonly question: JsonValue;
  /** In the answer of a host: the stage is suspended, and no host works on it. */
  readonly suspended?: Suspension;
  /** The number of the question within the run, set by the control bus. The answer names it. */
  readonly questionNumber?: number;
  /** What the stage has used since it was last requested. Its end has only what it uses after the answer. */
  readonly usage?: Usage;
  /** Why the stage waits, set by the control bus. */
  readonly reason?: 'user' | 'approval' | 'budget';
  /** What the wait concerns, set by the control bus: the effect that asked, an approval or a budget. */
  readonly subject?: string;
}

/** `runtime.stage.failed`: The stage run failed, or its outcome is unknown. */
export interface RuntimeStageFailed {
  readonly type: 'runtime.stage.failed';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly effectId: string;
  readonly stage: 'interview' | 'execute' | 'evaluate' | 'reflect';
  readonly runtimeId: string;
  readonly attempt: number;
  readonly error: ErrorInfo;
  readonly retryable: boolean;
  readonly usage?: Usage;
  readonly outcome?: 'failed' | 'unknown';
}

/** `runtime.stage.cancelled`: The stage run was cancelled: the host confirmed it, or the grace period ended. */
export interface RuntimeStageCancelled {
  readonly type: 'runtime.stage.cancelled';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly effectId: string;
  readonly stage: 'interview' | 'execute' | 'evaluate' | 'reflect';
  readonly runtimeId: string;
  readonly attempt: number;
}

/** `runtime.task.requested`: A process requested work from an external party. */
export interface RuntimeTaskRequested {
  readonly type: 'runtime.task.requested';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly effectId: string;
  readonly kind: string;
  readonly taskId: string;
  readonly label?: string;
  readonly args?: JsonValue;
  /** Number of the attempt, returned with the answer. */
  readonly attempt?: number;
  /** Deadline of the answer. */
  readonly deadline?: string;
  /** The task definition. */
  readonly definition?: JsonObject;
}

/** `runtime.task.completed`: The external task completed. */
export interface RuntimeTaskCompleted {
  readonly type: 'runtime.task.completed';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly effectId: string;
  readonly kind: string;
  readonly taskId: string;
  readonly label?: string;
  readonly value: JsonValue;
  /** Who answered it. */
  readonly answeredBy?: string;
}

/** `runtime.task.failed`: The external task failed. */
export interface RuntimeTaskFailed {
  readonly type: 'runtime.task.failed';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly effectId: string;
  readonly kind: string;
  readonly taskId: string;
  readonly label?: string;
  readonly error: ErrorInfo;
  /** Who reported the failure. */
  readonly answeredBy?: string;
}

/** `runtime.child.started`: A child run started. */
export interface RuntimeChildStarted {
  readonly type: 'runtime.child.started';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly effectId: string;
  readonly childRequestId: string;
}

/** `runtime.child.completed`: The child run completed successfully. */
export interface RuntimeChildCompleted {
  readonly type: 'runtime.child.completed';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly effectId: string;
  readonly childRequestId: string;
  readonly output?: JsonValue;
}

/** `runtime.child.failed`: The child run failed. */
export interface RuntimeChildFailed {
  readonly type: 'runtime.child.failed';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly effectId: string;
  readonly childRequestId: string;
  readonly error: ErrorInfo;
}

/** `runtime.tool.direct.requested`: Requests a direct tool call. */
export interface RuntimeToolDirectRequested {
  readonly type: 'runtime.tool.direct.requested';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly effectId: string;
  readonly toolId: string;
  readonly args: JsonObject;
  /** Number of the attempt, returned with the answer. */
  readonly attempt?: number;
}

/** `runtime.tool.direct.started`: A direct tool call through the gateway started. */
export interface RuntimeToolDirectStarted {
  readonly type: 'runtime.tool.direct.started';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly toolId: string;
}

/** `runtime.tool.direct.completed`: The direct tool call completed. */
export interface RuntimeToolDirectCompleted {
  readonly type: 'runtime.tool.direct.completed';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly toolId: string;
  readonly output: JsonValue;
}

/** `runtime.tool.direct.failed`: The direct tool call failed. */
export interface RuntimeToolDirectFailed {
  readonly type: 'runtime.tool.direct.failed';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly toolId: string;
  readonly error: ErrorInfo;
}

/** `runtime.tool.denied`: A policy or a person denied a tool call. */
export interface RuntimeToolDenied {
  readonly type: 'runtime.tool.denied';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly toolId: string;
  readonly policyId: string;
  readonly reason: string;
  readonly approvalId?: string;
  /** The id that the model gave the call, if the executor reports it. */
  readonly callId?: string;
}

/**
 * `runtime.mcp.server.unavailable`: An MCP server, or some of its tools, is unavailable. The available tools remain
 * usable.
 */
export interface RuntimeMcpServerUnavailable {
  readonly type: 'runtime.mcp.server.unavailable';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly serverId: string;
  readonly reason: string;
  readonly missingToolIds: readonly string[];
  readonly required: boolean;
}

/** `runtime.adapter.event`: The envelope of a signal. */
export interface RuntimeAdapterEvent {
  readonly type: 'runtime.adapter.event';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly event: AdapterEvent;
  readonly stage?: 'interview' | 'execute' | 'evaluate' | 'reflect';
  readonly effectId?: string;
  readonly attempt?: number;
  /** Consecutive within (effectId, attempt). */
  readonly seq?: number;
}

/**
 * What an adapter observed. `phase` is set for signals of the catalogue, `traceType` for plan and delegation views.
 * The phase determines the other fields.
 */
export interface AdapterEvent {
  readonly adapter: string;
  readonly phase?: string;
  readonly traceType?: 'plan' | 'delegation';
  readonly toolId?: string;
  readonly callId?: string;
  readonly text?: string;
  readonly args?: JsonValue;
  /** `null` if the outcome is unknown. */
  readonly output?: JsonValue;
  readonly error?: JsonValue;
  readonly modelRef?: string;
  readonly tools?: readonly string[];
  readonly subagents?: readonly string[];
  readonly workflowId?: string;
  readonly nodeId?: string;
  readonly skillId?: string;
  readonly grantedTools?: readonly string[];
  readonly grantedCommands?: readonly string[];
  readonly reason?: string;
  readonly result?: JsonValue;
  readonly aborted?: boolean;
  readonly nativeType?: string;
  readonly native?: JsonValue;
  readonly detail?: JsonValue;
  readonly modelCall?: ModelCall;
}

/**
 * `runtime.progress.narration`: A description of the progress for people. Derived from events; it has no effect on the
 * run.
 */
export interface RuntimeProgressNarration {
  readonly type: 'runtime.progress.narration';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly message: string;
  readonly provider: string;
  readonly sourceEventTypes: readonly string[];
  readonly sourceEventIds?: readonly string[];
  readonly model?: string;
  readonly style?: string;
}

/** `runtime.workflow.requested`: Requests an explicit workflow. */
export interface RuntimeWorkflowRequested {
  readonly type: 'runtime.workflow.requested';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly effectId: string;
  readonly workflowId: string;
  readonly adapter: string;
  /** Number of the attempt, returned with the answer. */
  readonly attempt?: number;
  readonly input?: JsonValue;
}

/** `runtime.workflow.started`: The workflow started. */
export interface RuntimeWorkflowStarted {
  readonly type: 'runtime.workflow.started';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly workflowId: string;
  readonly adapter: string;
}

/** `runtime.workflow.completed`: The workflow completed successfully. */
export interface RuntimeWorkflowCompleted {
  readonly type: 'runtime.workflow.completed';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly workflowId: string;
  readonly adapter: string;
  readonly output?: JsonValue;
}

/** `runtime.workflow.failed`: The workflow failed. */
export interface RuntimeWorkflowFailed {
  readonly type: 'runtime.workflow.failed';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly workflowId: string;
  readonly adapter: string;
  readonly error: ErrorInfo;
}

/** `runtime.artifact.created`: The run produced an artifact. */
export interface RuntimeArtifactCreated {
  readonly type: 'runtime.artifact.created';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly artifact: Artifact;
}

/** `runtime.specDriven.phase.started`: A phase of a spec-driven workflow started. */
export interface RuntimeSpecDrivenPhaseStarted {
  readonly type: 'runtime.specDriven.phase.started';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly phaseId: string;
  readonly workflowId?: string;
}

/** `runtime.specDriven.phase.blocked`: A gate or a policy blocks the phase. */
export interface RuntimeSpecDrivenPhaseBlocked {
  readonly type: 'runtime.specDriven.phase.blocked';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly phaseId: string;
  readonly reason: string;
  readonly workflowId?: string;
}

/** `runtime.specDriven.phase.completed`: The phase completed. */
export interface RuntimeSpecDrivenPhaseCompleted {
  readonly type: 'runtime.specDriven.phase.completed';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly phaseId: string;
  readonly workflowId?: string;
  readonly artifact?: JsonValue;
}

/** `runtime.specDriven.phase.verified`: The phase was verified. */
export interface RuntimeSpecDrivenPhaseVerified {
  readonly type: 'runtime.specDriven.phase.verified';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly phaseId: string;
  readonly workflowId?: string;
  readonly artifact?: JsonValue;
}

/** `runtime.skill.candidate.created`: A skill candidate was found. */
export interface RuntimeSkillCandidateCreated {
  readonly type: 'runtime.skill.candidate.created';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly candidateId: string;
  readonly name: string;
  readonly confidence: number;
  readonly evidenceCount: number;
  readonly status: string;
  readonly proposedPath?: string;
}

/** Fields of every answer that a worker sends to the inbox, in addition to those of the proposed fact. */
export interface AnswerHead {
  readonly effectId: string;
  readonly attempt: number;
  /** For a stage that was suspended: the number of the resumption that is answered. */
  readonly resumption?: number;
  readonly epoch?: number;
  readonly outcome?: 'failed' | 'unknown';
}

/**
 * Not used. The claim stored in the bucket `claims` (key: effect id) has the fields `attempt`, `host`, `incarnation`,
 * `state`, `answer` and `answerRef`.
 */
export interface ClaimRecord {
  readonly attempt: number;
  readonly hostId: string;
  readonly state: 'working' | 'answered' | 'expired';
  /** Subject of the inbox message with the answer. */
  readonly subject: string;
  readonly answerRef?: BlobRef;
}

/**
 * Not used. The record stored in the bucket `controls` (key: effect id) has a list `messages` with the fields `id`,
 * `kind` and `body`.
 */
export interface ControlRecord {
  readonly orders: readonly ControlOrder[];
}

/** One order of a `ControlRecord`. */
export interface ControlOrder {
  readonly number: number;
  readonly kind: 'cancel' | 'answer' | 'approve' | 'deny' | 'compact' | 'nudge';
  readonly payload?: JsonValue;
}

/** Bucket `harnesses`, key = host id and runtime id: the offer of a host. An offer expires if its host does not renew it. */
export interface HarnessOffer {
  readonly runtimeId: string;
  readonly hostId: string;
  readonly version: string;
  readonly healthy: boolean;
  readonly reason?: string;
  readonly slots: number;
  readonly capabilities?: readonly string[];
  readonly providers?: readonly ProviderHealth[];
  /** How many of the slots are in use, including by other runtimes that share them. Absent in offers of earlier versions. */
  readonly slotsInUse?: number;
  /** How many stages of the runtime the host has taken since it started. */
  readonly stagesTaken?: number;
  /**
   * What confines the executors of the host: `bubblewrap`, `landlock`, `none`, or `off` if its
   * settings disable the sandbox.
   */
  readonly sandbox?: string;
  /** What executors of the host can connect to: `open`, `doors` or `allow-list`. */
  readonly network?: string;
}

/** In an offer: whether the host can call the models of one provider. `unknown`: the provider responds, but its key or models cannot be checked. */
export interface ProviderHealth {
  readonly providerId: string;
  readonly status: 'ok' | 'unknown' | 'failed';
  readonly reason?: string;
  readonly hint?: string;
  /** All its models. Absent if they are unknown, or too many for an offer. */
  readonly models?: readonly string[];
}

/** Bucket `requests`, key = hash of the idempotency key: an accepted request, stored before its command is published. */
export interface RequestRecord {
  readonly requestId: string;
  readonly bodyHash: string;
  readonly workspaceId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly acceptedAt: string;
  /** When its run expired. Only this record is left of the request, for a time. */
  readonly expiredAt?: string;
}

/** Bucket `sessions`, key = workspace and session: the running request of a session, and those that wait for their turn. */
export interface SessionRecord {
  /** State that the next request inherits. */
  readonly state: SessionState;
  /** The running request. */
  readonly running?: SessionTurn;
  /** Waiting requests, oldest first. */
  readonly queued: readonly SessionTurn[];
  /** The requests that were most recently removed from the session, oldest first. They are never started again. */
  readonly left?: readonly string[];
  /** When it expired. Only this record is left of the session, for a time. No request can continue it. */
  readonly expiredAt?: string;
}

/** A request of a session. */
export interface SessionTurn {
  readonly requestId: string;
  /** Command of a waiting request, published when its turn comes. */
  readonly submitRef?: BlobRef;
}

/** Bucket `keys`, key = key id: a hashed API key. */
export interface ApiKeyRecord {
  readonly id: string;
  readonly name: string;
  /** Hash of the secret part. */
  readonly hash: string;
  readonly createdAt: string;
  readonly revokedAt?: string;
}

/** A compiled plan in the blob store. */
export interface PlanRecord {
  readonly inputsChecksum: string;
  readonly plan: JsonValue;
  readonly diagnostics: readonly Diagnostic[];
}

/** The closed catalogue: event type → its body. */
export interface EventBodies {
  readonly 'agent.handoff': AgentHandoff;
  readonly 'agent.output.delta': AgentOutputDelta;
  readonly 'agent.thinking.delta': AgentThinkingDelta;
  readonly 'agent.tool.start': AgentToolStart;
  readonly 'agent.tool.result': AgentToolResult;
  readonly 'agent.skill.invoked': AgentSkillInvoked;
  readonly 'agent.compaction.start': AgentCompactionStart;
  readonly 'agent.compaction.end': AgentCompactionEnd;
  readonly 'agent.model.call': AgentModelCall;
  readonly 'agent.langgraph.invoke': AgentLanggraphInvoke;
  readonly 'agent.node.completed': AgentNodeCompleted;
  readonly 'agent.native': AgentNative;
  readonly 'agent.tool.output': AgentToolOutput;
  readonly 'command.run.submit': CommandRunSubmit;
  readonly 'command.run.cancel': CommandRunCancel;
  readonly 'command.run.answer': CommandRunAnswer;
  readonly 'command.run.pause': CommandRunPause;
  readonly 'command.run.resume': CommandRunResume;
  readonly 'command.run.unpark': CommandRunUnpark;
  readonly 'command.run.halt': CommandRunHalt;
  readonly 'command.run.assign': CommandRunAssign;
  readonly 'command.effect.cancel': CommandEffectCancel;
  readonly 'command.effect.invalidate': CommandEffectInvalidate;
  readonly 'command.approval.resolve': CommandApprovalResolve;
  readonly 'command.signal': CommandSignal;
  readonly 'timer.due': TimerDue;
  readonly 'effect.progress': EffectProgress;
  readonly 'control.directive.emitted': ControlDirectiveEmitted;
  readonly 'runtime.approval.requested': RuntimeApprovalRequested;
  readonly 'runtime.approval.resolved': RuntimeApprovalResolved;
  readonly 'runtime.usage.recorded': RuntimeUsageRecorded;
  readonly 'runtime.budget.exceeded': RuntimeBudgetExceeded;
  readonly 'runtime.harness.available': RuntimeHarnessAvailable;
  readonly 'runtime.harness.unavailable': RuntimeHarnessUnavailable;
  readonly 'runtime.memory.lifecycle': RuntimeMemoryLifecycle;
  readonly 'runtime.memory.recall.requested': RuntimeMemoryRecallRequested;
  readonly 'runtime.memory.recall.completed': RuntimeMemoryRecallCompleted;
  readonly 'runtime.memory.recall.failed': RuntimeMemoryRecallFailed;
  readonly 'runtime.memory.candidate.submitted': RuntimeMemoryCandidateSubmitted;
  readonly 'runtime.memory.approval.requested': RuntimeMemoryApprovalRequested;
  readonly 'runtime.memory.plugin.started': RuntimeMemoryPluginStarted;
  readonly 'runtime.memory.plugin.completed': RuntimeMemoryPluginCompleted;
  readonly 'runtime.memory.plugin.failed': RuntimeMemoryPluginFailed;
  readonly 'runtime.memory.maintenance.started': RuntimeMemoryMaintenanceStarted;
  readonly 'runtime.memory.maintenance.completed': RuntimeMemoryMaintenanceCompleted;
  readonly 'runtime.memory.maintenance.failed': RuntimeMemoryMaintenanceFailed;
  readonly 'runtime.plan.requested': RuntimePlanRequested;
  readonly 'runtime.plan.compiled': RuntimePlanCompiled;
  readonly 'runtime.plan.rejected': RuntimePlanRejected;
  readonly 'runtime.prepare.requested': RuntimePrepareRequested;
  readonly 'runtime.prepare.completed': RuntimePrepareCompleted;
  readonly 'runtime.prepare.failed': RuntimePrepareFailed;
  readonly 'runtime.request.started': RuntimeRequestStarted;
  readonly 'runtime.request.completed': RuntimeRequestCompleted;
  readonly 'runtime.request.failed': RuntimeRequestFailed;
  readonly 'runtime.request.cancelled': RuntimeRequestCancelled;
  readonly 'runtime.request.waiting': RuntimeRequestWaiting;
  readonly 'runtime.request.resumed': RuntimeRequestResumed;
  readonly 'runtime.signal.kept': RuntimeSignalKept;
  readonly 'runtime.execution.contract.failed': RuntimeExecutionContractFailed;
  readonly 'runtime.stage.requested': RuntimeStageRequested;
  readonly 'runtime.stage.claimed': RuntimeStageClaimed;
  readonly 'runtime.stage.progress': RuntimeStageProgress;
  readonly 'runtime.stage.started': RuntimeStageStarted;
  readonly 'runtime.stage.completed': RuntimeStageCompleted;
  readonly 'runtime.stage.waiting': RuntimeStageWaiting;
  readonly 'runtime.stage.failed': RuntimeStageFailed;
  readonly 'runtime.stage.cancelled': RuntimeStageCancelled;
  readonly 'runtime.task.requested': RuntimeTaskRequested;
  readonly 'runtime.task.completed': RuntimeTaskCompleted;
  readonly 'runtime.task.failed': RuntimeTaskFailed;
  readonly 'runtime.child.started': RuntimeChildStarted;
  readonly 'runtime.child.completed': RuntimeChildCompleted;
  readonly 'runtime.child.failed': RuntimeChildFailed;
  readonly 'runtime.tool.direct.requested': RuntimeToolDirectRequested;
  readonly 'runtime.tool.direct.started': RuntimeToolDirectStarted;
  readonly 'runtime.tool.direct.completed': RuntimeToolDirectCompleted;
  readonly 'runtime.tool.direct.failed': RuntimeToolDirectFailed;
  readonly 'runtime.tool.denied': RuntimeToolDenied;
  readonly 'runtime.mcp.server.unavailable': RuntimeMcpServerUnavailable;
  readonly 'runtime.adapter.event': RuntimeAdapterEvent;
  readonly 'runtime.progress.narration': RuntimeProgressNarration;
  readonly 'runtime.workflow.requested': RuntimeWorkflowRequested;
  readonly 'runtime.workflow.started': RuntimeWorkflowStarted;
  readonly 'runtime.workflow.completed': RuntimeWorkflowCompleted;
  readonly 'runtime.workflow.failed': RuntimeWorkflowFailed;
  readonly 'runtime.artifact.created': RuntimeArtifactCreated;
  readonly 'runtime.specDriven.phase.started': RuntimeSpecDrivenPhaseStarted;
  readonly 'runtime.specDriven.phase.blocked': RuntimeSpecDrivenPhaseBlocked;
  readonly 'runtime.specDriven.phase.completed': RuntimeSpecDrivenPhaseCompleted;
  readonly 'runtime.specDriven.phase.verified': RuntimeSpecDrivenPhaseVerified;
  readonly 'runtime.skill.candidate.created': RuntimeSkillCandidateCreated;
}

/** Journal entry type → its data. */
export interface EntryData {
  readonly RUN_CREATED: EntryRunCreated;
  readonly PROCESS_ASSIGNED: EntryProcessAssigned;
  readonly PROCESS_CODE_CHANGED: EntryProcessCodeChanged;
  readonly PROCESS_LOG: EntryProcessLog;
  readonly EFFECT_PROGRESS: EntryEffectProgress;
  readonly COST_TRACKED: EntryCostTracked;
  readonly EFFECT_REQUESTED: EntryEffectRequested;
  readonly EFFECT_CLAIMED: EntryEffectClaimed;
  readonly EFFECT_STARTED: EntryEffectStarted;
  readonly EFFECT_WAITING: EntryEffectWaiting;
  readonly EFFECT_ANSWERED: EntryEffectAnswered;
  readonly EFFECT_ATTEMPT_FAILED: EntryEffectAttemptFailed;
  readonly EFFECT_RESOLVED: EntryEffectResolved;
  readonly EFFECT_CANCELLED: EntryEffectCancelled;
  readonly SIGNAL_RECEIVED: EntrySignalReceived;
  readonly EFFECT_INVALIDATED: EntryEffectInvalidated;
  readonly APPROVAL_RESOLVED: EntryApprovalResolved;
  readonly BUDGET_EXCEEDED: EntryBudgetExceeded;
  readonly PROCESS_RUNTIME_ERROR: EntryProcessRuntimeError;
  readonly RUN_PAUSED: EntryRunPaused;
  readonly RUN_RESUMED: EntryRunResumed;
  readonly RUN_CANCEL_REQUESTED: EntryRunCancelRequested;
  readonly RUN_COMPLETED: EntryRunCompleted;
  readonly RUN_FAILED: EntryRunFailed;
  readonly RUN_CANCELLED: EntryRunCancelled;
  readonly RUN_HALTED: EntryRunHalted;
  readonly RUN_ARCHIVED: EntryRunArchived;
}
