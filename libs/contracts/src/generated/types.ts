// Generated from proto/ by `npm run generate`. Do not edit.

import type { JsonObject, JsonValue } from '../json.ts';

/** `agent.handoff`: the executor takes over */
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

/** `agent.output.delta`: a piece of the answer */
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

/** `agent.thinking.delta`: a piece of the reasoning */
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

/** `agent.tool.start`: the executor calls a tool */
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

/** `agent.tool.result`: the tool answered; an unknown outcome is null, never success */
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

/** `agent.skill.invoked`: a skill was used, with what it grants */
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

/** `agent.compaction.start`: the context is being compacted */
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

/** `agent.compaction.end`: it was, or the compaction was aborted */
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

/** `agent.langgraph.invoke`: a workflow invocation began */
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

/** `agent.node.completed`: a workflow node is done */
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

/** `agent.native`: the event of the executor itself, only where the operator asks for it */
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

/** `command.run.submit`: a request is submitted */
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
  /** stage → runtime id, for this request alone. */
  readonly stages?: Readonly<Record<string, string>>;
  readonly metadata?: JsonObject;
  /**
   * Its id: `direct-tool`, `workflow`, or of an authored process; absent = that of the workspace, else the built-in pipeline;
   * `bare-run` = it waits until it is given one.
   */
  readonly process?: string;
  readonly retryOf?: string;
  readonly submittedAt: string;
  /** Of a run inside a run: who waits for it. */
  readonly parent?: ParentRef;
  /** W3C trace context of whoever submitted it: the run goes on in that trace. */
  readonly traceparent?: string;
  /** The run begins with the first entries of another one of this workspace; its process and its revision are that one's. */
  readonly fork?: ForkRef;
}

/** `command.run.cancel`: a request shall end */
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

/** `command.run.answer`: a question of the executor is answered, or a task is */
export interface CommandRunAnswer {
  readonly type: 'command.run.answer';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly idempotencyKey: string;
  readonly effectId: string;
  readonly answer: JsonValue;
  /** In place of an answer: the task failed. */
  readonly error?: ErrorInfo;
  readonly answeredBy?: string;
}

/** `command.run.pause`: a request shall wait */
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

/** `command.run.resume`: it shall go on */
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

/** `command.run.halt`: an operator ends a run by hand. A run whose process cannot be mended must not wait until it expires. */
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

/** `command.run.assign`: a request gets its process, or another one. What the one before asked for is cancelled. */
export interface CommandRunAssign {
  readonly type: 'command.run.assign';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly idempotencyKey: string;
  /** As `command.run.submit` names it. */
  readonly process: string;
  /** In place of the input that the request was submitted with. */
  readonly inputs?: JsonValue;
  /** Also where it has a process already. */
  readonly force?: boolean;
  readonly reason?: string;
  readonly requestedBy?: string;
}

/** `command.effect.cancel`: one effect of a run shall end. The process hears of it as a cancelled effect and goes on. */
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

/** `command.effect.invalidate`: an effect, and all that was asked for after it, is asked for again. A wrong answer is mended without a new run. */
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

/** `command.approval.resolve`: a person decided */
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

/** `command.signal`: an external event for a run */
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

/** `timer.due`: a timer of the run is due */
export interface TimerDue {
  readonly type: 'timer.due';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly effectId: string;
  readonly timer: 'start' | 'run' | 'wake' | 'expiry' | 'grace' | 'retry';
  readonly attempt: number;
}

/** `effect.progress`: how far an effect is; informational */
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

/** An error as it travels: code of the taxonomy, message, and where and what to do about it. */
export interface ErrorInfo {
  readonly code: string;
  readonly message: string;
  readonly path?: string;
  readonly hint?: string;
  /** Of an error that code threw: the name of its class, such as TypeError. */
  readonly name?: string;
}

/** One finding of the compiler. */
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
  /** The text of that line. */
  readonly source?: string;
  /** The code under which other systems know it, where ours is more precise. */
  readonly alias?: string;
}

/** A body in the blobs object store, by its content. */
export interface BlobRef {
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
  readonly mediaType?: string;
  /** Of an attachment: the file name that its user knows it by. */
  readonly name?: string;
}

/** Tokens and cost of model calls. */
export interface Usage {
  readonly provider?: string;
  readonly model?: string;
  readonly inputTokens: number;
  readonly cachedInputTokens?: number;
  readonly outputTokens: number;
  readonly costUsd?: number;
}

/** The structured end of an evaluate stage. */
export interface Verdict {
  readonly outcome: 'pass' | 'fail';
  readonly score?: number;
  readonly reasons: readonly string[];
}

/** A file that a run produced for its reader. */
export interface Artifact {
  readonly id: string;
  readonly path: string;
  readonly mediaType: string;
  readonly bytes: number;
  readonly sha256: string;
  /** Where its content is: an object-store key. */
  readonly ref: string;
}

/** What an approval is about. */
export interface ApprovalSubject {
  readonly kind: 'tool' | 'breakpoint' | 'memory' | 'budget';
  readonly toolId?: string;
  readonly callId?: string;
  readonly args?: JsonValue;
  readonly label?: string;
  readonly detail?: JsonValue;
}

/** The physical server that stands for a logical one in this run. */
export interface McpServerMapping {
  readonly logicalId: string;
  readonly physicalId: string;
}

/** An MCP server of a stage that is not there, or not with all of its tools. */
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
  /** `pipeline`, `direct-tool`, `workflow`, or `<path>#<export>`. */
  readonly id: string;
  /** Identity of its code. */
  readonly codeHash: string;
}

/** The run that another run is a part of, and the effect that waits for it. */
export interface ParentRef {
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly effectId: string;
  readonly attempt: number;
  /** How many runs are around the child. */
  readonly depth: number;
}

/** The run whose first entries a new run shares. */
export interface ForkRef {
  readonly requestId: string;
  /** How many of its entries are shared, at most. */
  readonly at: number;
}

/** Time and tries that an effect may use. */
export interface Limits {
  /** From the request until a worker starts. */
  readonly startWithinMs: number;
  /** From start to end. */
  readonly runForMs: number;
  readonly maxAttempts: number;
  readonly onUnknown: 'retry' | 'fail' | 'ask';
}

/** One finished request of a session, in short. */
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
  /** Why it failed or was cancelled, in short. */
  readonly reason?: string;
  readonly endedAt: string;
}

/** What became of one context of a stage: a recorded outcome instead of a silent gap in the prompt. */
export interface ContextOutcome {
  readonly id: string;
  readonly status: 'used' | 'empty' | 'timed_out' | 'disabled' | 'failed';
  /** Estimated, of what stands in the prompt. */
  readonly tokens: number;
  /** Estimated, of what did not fit its budget. */
  readonly droppedTokens: number;
  readonly reason?: string;
}

/** What a request inherits from its session. */
export interface SessionState {
  readonly lastRequestId?: string;
  /** The workspace revision of the last request. */
  readonly revision?: string;
  /** The tree that the last request ended with. */
  readonly tree?: string;
  /** runtime id → the executor's own session id. */
  readonly harnessSessions?: Readonly<Record<string, string>>;
  /** Oldest first. */
  readonly turns?: readonly Turn[];
  readonly compactionBoundary?: string;
  readonly lastRun?: LastRun;
}

/** `control.directive.emitted`: a decision of the control bus. Effective identity: (targetType, targetId, directive, idempotencyKey). */
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
  /** Derived: only cancel and converge. */
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
  /** snake_case: stage, runtime_id, runtime_source, effect_id, attempt, lifecycle_status. */
  readonly extra?: JsonObject;
}

/** One message of the journal: 1..n entries appended together. */
export interface JournalCommit {
  readonly entries: readonly JournalEntry[];
  /** The ownership of the partition under which it was appended. */
  readonly epoch: number;
}

/** One entry. `hash` is the SHA-256 (hex) of the canonical JSON (RFC 8785) of the entry without `hash`. */
export interface JournalEntry {
  /** Gapless from 1. */
  readonly version: number;
  readonly type: string;
  readonly recordedAt: string;
  /** The message of this file whose entry rule has this type. */
  readonly data: JsonObject;
  /** Hash of the entry before; empty for the first. */
  readonly prev: string;
  readonly hash: string;
}

/** `RUN_CREATED`: the run exists */
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
  /** {requestId, version, identity}; of a request also {shared: how many entries, at: when}. */
  readonly forkedFrom?: JsonObject;
  /** What its creator says about it: prompt, harness, and what else a run directory keeps in run.json. */
  readonly metadata?: JsonObject;
  /** Of a run inside a run: who waits for it. */
  readonly parent?: ParentRef;
  /** W3C trace context that the run belongs to, whoever owns it. */
  readonly traceparent?: string;
  /** Of a request without a process: by when it must be given one. */
  readonly assignBy?: string;
  /** In place of large inputs, where the store of the journal keeps those apart: in a run directory. */
  readonly inputsRef?: BlobRef;
}

/** `PROCESS_ASSIGNED`: a bare run got its process */
export interface EntryProcessAssigned {
  readonly process: ProcessRef;
  readonly inputs?: JsonValue;
  /** The process that the run had; absent where a process began anew by itself. */
  readonly previous?: ProcessRef;
  /** Whoever assigned it meant to replace the one before. */
  readonly force?: boolean;
  /** What was said with the request beside its input, where the entries before do not have it in this form. */
  readonly metadata?: JsonObject;
  readonly reason?: string;
  readonly requestedBy?: string;
  /** Of the command: the same one again changes nothing. */
  readonly idempotencyKey?: string;
  /** In place of large inputs, as in RUN_CREATED. */
  readonly inputsRef?: BlobRef;
}

/** `PROCESS_CODE_CHANGED`: the code that drives the run is another */
export interface EntryProcessCodeChanged {
  readonly from: string;
  readonly to: string;
  readonly reason?: string;
}

/** `PROCESS_LOG`: the process said something */
export interface EntryProcessLog {
  readonly label?: string;
  readonly message: JsonValue;
}

/** `EFFECT_PROGRESS`: how far an effect is */
export interface EntryEffectProgress {
  readonly effectId: string;
  readonly percent?: number;
  readonly label?: string;
}

/** `COST_TRACKED`: a stage used a model */
export interface EntryCostTracked {
  readonly effectId: string;
  readonly stage: 'interview' | 'execute' | 'evaluate' | 'reflect';
  readonly runtimeId: string;
  readonly usage: Usage;
}

/** `EFFECT_REQUESTED`: the process asked for an effect */
export interface EntryEffectRequested {
  readonly effectId: string;
  readonly kind: string;
  readonly attempt: number;
  /** Invocation identity within the run. */
  readonly key: string;
  readonly argsHash: string;
  /** The fields of the kind's requested fact. */
  readonly request: JsonObject;
  readonly limits: Limits;
  readonly label?: string;
  /** The whole of a large request, of which only the small fields are in `request`. */
  readonly requestRef?: BlobRef;
}

/** `EFFECT_STARTED`: a worker took it */
export interface EntryEffectStarted {
  readonly effectId: string;
  readonly attempt: number;
  readonly hostId?: string;
  /** The fields of the kind's started fact. */
  readonly value?: JsonObject;
}

/** `EFFECT_WAITING`: the executor asks for something */
export interface EntryEffectWaiting {
  readonly effectId: string;
  readonly reason: 'user' | 'approval' | 'budget';
  readonly question: JsonValue;
  readonly expiresAt?: string;
}

/** `EFFECT_ANSWERED`: and was answered */
export interface EntryEffectAnswered {
  readonly effectId: string;
  readonly answer: JsonValue;
}

/** `EFFECT_ATTEMPT_FAILED`: an attempt failed, or its outcome is not known */
export interface EntryEffectAttemptFailed {
  readonly effectId: string;
  readonly attempt: number;
  readonly outcome: 'failed' | 'unknown';
  readonly error: ErrorInfo;
  readonly retryable: boolean;
  readonly usage?: Usage;
  /** Absent: there is none. */
  readonly nextAttempt?: number;
  /** What differs in the request of the next attempt, such as its runtime. */
  readonly nextRequest?: JsonObject;
  readonly nextDirective?: 'retry' | 'unstuck';
}

/** `EFFECT_RESOLVED`: it has its one result */
export interface EntryEffectResolved {
  readonly effectId: string;
  readonly attempt: number;
  readonly status: 'ok' | 'error';
  /** The fields of the kind's completed fact. */
  readonly value?: JsonValue;
  /** In place of a large value. */
  readonly valueRef?: BlobRef;
  readonly error?: ErrorInfo;
  readonly retryable?: boolean;
}

/** `EFFECT_CANCELLED`: it was cancelled */
export interface EntryEffectCancelled {
  readonly effectId: string;
  readonly attempt: number;
  readonly reason?: string;
  /** The worker said so; false: the grace ran out. */
  readonly confirmed: boolean;
}

/** `SIGNAL_RECEIVED`: an external event came */
export interface EntrySignalReceived {
  readonly name: string;
  readonly payload?: JsonValue;
  /** The waiting effect that it resolves. */
  readonly effectId?: string;
  /** Of the command: the same one again is not another signal. */
  readonly idempotencyKey?: string;
}

/** `EFFECT_INVALIDATED`: the effect and all that was asked for after it no longer stand; the process asks again */
export interface EntryEffectInvalidated {
  readonly effectId: string;
  readonly reason?: string;
  readonly requestedBy?: string;
  readonly idempotencyKey: string;
}

/** `APPROVAL_RESOLVED`: a person decided, or nobody did in time */
export interface EntryApprovalResolved {
  readonly approvalId: string;
  readonly effectId?: string;
  readonly decision: 'approved' | 'denied' | 'expired';
  readonly decidedBy: string;
  readonly comment?: string;
}

/** `BUDGET_EXCEEDED`: a budget is spent */
export interface EntryBudgetExceeded {
  readonly budget: string;
  readonly limit: number;
  readonly used: number;
  readonly action: 'pause' | 'fail';
}

/** `PROCESS_RUNTIME_ERROR`: the process itself failed; an operator can recover it */
export interface EntryProcessRuntimeError {
  readonly error: ErrorInfo;
  readonly effectId?: string;
  readonly expected?: JsonValue;
  readonly actual?: JsonValue;
  readonly expiresAt: string;
}

/** `RUN_PAUSED`: an operator holds the process; answers are recorded, and it learns of them later */
export interface EntryRunPaused {
  readonly reason?: string;
  readonly requestedBy?: string;
  readonly idempotencyKey: string;
}

/** `RUN_RESUMED`: and lets it go on, after a pause or after what broke it was mended */
export interface EntryRunResumed {
  readonly reason?: string;
  readonly requestedBy?: string;
  readonly idempotencyKey: string;
}

/** `RUN_CANCEL_REQUESTED`: someone wants it to end */
export interface EntryRunCancelRequested {
  readonly reason?: string;
  readonly requestedBy?: string;
  readonly idempotencyKey: string;
}

/** `RUN_COMPLETED`: it ended well */
export interface EntryRunCompleted {
  readonly output: JsonValue;
  /** In place of a large output, as in RUN_CREATED. */
  readonly outputRef?: BlobRef;
  /** As in RUN_FAILED. */
  readonly sealed?: 'told';
}

/** `RUN_FAILED`: it failed */
export interface EntryRunFailed {
  readonly error: ErrorInfo;
  /** Only of the entry that an owner ended a run with whose journal it found damaged: `failed` because of that, or `told` where the log knew how the run had ended. */
  readonly sealed?: 'failed' | 'told';
}

/** `RUN_CANCELLED`: it was cancelled */
export interface EntryRunCancelled {
  readonly reason?: string;
  /** As in RUN_FAILED. */
  readonly sealed?: 'told';
}

/** `RUN_HALTED`: the process ended it early, on purpose */
export interface EntryRunHalted {
  readonly reason?: string;
  readonly payload?: JsonValue;
  /** As in RUN_FAILED. */
  readonly sealed?: 'told';
}

/** `RUN_ARCHIVED`: the stub of an archived run */
export interface EntryRunArchived {
  readonly archiveRef: BlobRef;
  readonly headHash: string;
  readonly terminalType: string;
}

/** `runtime.approval.requested`: a person must decide */
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

/** `runtime.approval.resolved`: a person decided, or nobody did in time */
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

/** `runtime.usage.recorded`: tokens and cost of a stage */
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
  readonly costUsd?: number;
}

/** `runtime.budget.exceeded`: a budget is spent */
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

/** `runtime.harness.available`: a host offers this runtime */
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

/** `runtime.harness.unavailable`: it does so no longer */
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

/** `runtime.memory.lifecycle`: a memory hook fired */
export interface RuntimeMemoryLifecycle {
  readonly type: 'runtime.memory.lifecycle';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly hook: 'read-before-plan' | 'read-before-finalize' | 'write-after-run';
}

/** `runtime.memory.recall.requested`: memory is wanted */
export interface RuntimeMemoryRecallRequested {
  readonly type: 'runtime.memory.recall.requested';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly effectId: string;
  readonly namespace: string;
  readonly query: string;
}

/** `runtime.memory.recall.completed`: what was recalled */
export interface RuntimeMemoryRecallCompleted {
  readonly type: 'runtime.memory.recall.completed';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly namespace: string;
  readonly recordIds: readonly string[];
  readonly context: JsonValue;
  readonly effectId?: string;
}

/** `runtime.memory.candidate.submitted`: a write was proposed */
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

/** `runtime.memory.approval.requested`: a memory operation needs approval */
export interface RuntimeMemoryApprovalRequested {
  readonly type: 'runtime.memory.approval.requested';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly approval: JsonValue;
}

/** `runtime.memory.plugin.started`: a memory plugin runs */
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

/** `runtime.memory.plugin.completed`: it ended well */
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

/** `runtime.memory.plugin.failed`: it did not */
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

/** `runtime.memory.maintenance.started`: maintenance runs */
export interface RuntimeMemoryMaintenanceStarted {
  readonly type: 'runtime.memory.maintenance.started';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly target: string;
}

/** `runtime.memory.maintenance.completed`: it ended well */
export interface RuntimeMemoryMaintenanceCompleted {
  readonly type: 'runtime.memory.maintenance.completed';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly target: string;
  readonly operationCount: number;
}

/** `runtime.memory.maintenance.failed`: it did not */
export interface RuntimeMemoryMaintenanceFailed {
  readonly type: 'runtime.memory.maintenance.failed';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly target: string;
  readonly error: ErrorInfo;
}

/** `runtime.plan.requested`: a plan is wanted */
export interface RuntimePlanRequested {
  readonly type: 'runtime.plan.requested';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly effectId: string;
  /** The tree id of the workspace revision. */
  readonly revision: string;
  /** Which attempt at the effect this is. */
  readonly attempt: number;
}

/** `runtime.plan.compiled`: the workspace compiles; diagnostics are warnings */
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
  /** {stages, maxIterations} as authored, for the process to decide on. */
  readonly pipeline?: JsonObject;
  /** {default, stages} as authored. */
  readonly runtimeProfile?: JsonObject;
}

/** `runtime.plan.rejected`: the workspace does not compile; all findings, not the first */
export interface RuntimePlanRejected {
  readonly type: 'runtime.plan.rejected';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly effectId: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** `runtime.prepare.requested`: a host request is wanted for a stage */
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
  /** The request: input, attachments, model, thinkingValue, metadata. */
  readonly input: JsonValue;
  /** Outputs of earlier stages and the session: {interview, verdict, reflection, previous, session}. */
  readonly context?: JsonObject;
  /** The tree that the stage starts from. */
  readonly tree: string;
  /** Which attempt at the effect this is. */
  readonly attempt: number;
}

/** `runtime.prepare.completed`: the host request is stored */
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
  /** Milliseconds by step. */
  readonly timings: Readonly<Record<string, number>>;
  /** What became of each context. */
  readonly contexts?: readonly ContextOutcome[];
  /** What was noticed and does not stop the stage: skills left out, attachments that cannot be read, an unknown thinking value. */
  readonly warnings?: readonly Diagnostic[];
  /** Who chose the model. */
  readonly modelSource?: 'request' | 'installation' | 'agent' | 'default';
  /** The tree that the stage starts from, where files were laid into the one that was asked about. */
  readonly tree?: string;
}

/** `runtime.prepare.failed`: it could not be prepared */
export interface RuntimePrepareFailed {
  readonly type: 'runtime.prepare.failed';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly effectId: string;
  readonly error: ErrorInfo;
  /** All that is in the way, `error` included, when that is more than one thing. */
  readonly problems?: readonly ErrorInfo[];
}

/** `runtime.request.started`: the request was accepted and its run exists */
export interface RuntimeRequestStarted {
  readonly type: 'runtime.request.started';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
}

/** `runtime.request.completed`: success; terminal */
export interface RuntimeRequestCompleted {
  readonly type: 'runtime.request.completed';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly output: JsonValue;
  readonly halted?: boolean;
}

/** `runtime.request.failed`: terminal */
export interface RuntimeRequestFailed {
  readonly type: 'runtime.request.failed';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly error: ErrorInfo;
}

/** `runtime.request.cancelled`: terminal */
export interface RuntimeRequestCancelled {
  readonly type: 'runtime.request.cancelled';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly reason?: string;
}

/** `runtime.request.waiting`: the run is suspended */
export interface RuntimeRequestWaiting {
  readonly type: 'runtime.request.waiting';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly reason: 'user' | 'approval' | 'breakpoint' | 'timer' | 'budget' | 'signal' | 'child' | 'operator' | 'process';
  readonly effectId: string;
  readonly expiresAt?: string;
}

/** `runtime.request.resumed`: the run goes on */
export interface RuntimeRequestResumed {
  readonly type: 'runtime.request.resumed';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly effectId: string;
}

/** `runtime.execution.contract.failed`: evidence that the agent promised is not in the log */
export interface RuntimeExecutionContractFailed {
  readonly type: 'runtime.execution.contract.failed';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly reason: string;
  readonly missingEvidenceTools?: readonly string[];
}

/** `runtime.stage.requested`: a harness of this runtime is wanted; the subject ends in the runtime id */
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
  /** When the attempt as a whole is over. */
  readonly deadline: string;
  readonly limits: Limits;
  readonly tree: string;
  readonly harnessSessionId?: string;
  readonly runtimeSource?: 'request' | 'stage' | 'default' | 'fallback';
}

/** `runtime.stage.started`: a host took it */
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
  /** Told as `runtime.mcp.server.unavailable`. */
  readonly degradedServers?: readonly DegradedServer[];
}

/** `runtime.stage.completed`: an affirmative end: never assumed */
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
  /** Those that were lost while the stage ran; told as `runtime.mcp.server.unavailable`. */
  readonly degradedServers?: readonly DegradedServer[];
  /** Told as `runtime.tool.denied`. */
  readonly deniedTools?: readonly DeniedTool[];
}

/** `runtime.stage.waiting`: the executor asks the user */
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
}

/** `runtime.stage.failed`: outcome failed or unknown */
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

/** `runtime.stage.cancelled`: the host confirmed, or the grace ran out */
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

/** `runtime.task.requested`: a process asked for work that someone outside does */
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
  /** Goes back with the answer. */
  readonly attempt?: number;
  /** By when it must be answered. */
  readonly deadline?: string;
  /** What the process says about the work. */
  readonly definition?: JsonObject;
}

/** `runtime.task.completed`: it was done */
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
}

/** `runtime.task.failed`: it was not */
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
}

/** `runtime.child.started`: a run inside a run */
export interface RuntimeChildStarted {
  readonly type: 'runtime.child.started';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly effectId: string;
  readonly childRequestId: string;
}

/** `runtime.child.completed`: the child run ended well */
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

/** `runtime.child.failed`: it did not */
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

/** `runtime.tool.direct.requested`: a direct tool call is wanted */
export interface RuntimeToolDirectRequested {
  readonly type: 'runtime.tool.direct.requested';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly effectId: string;
  readonly toolId: string;
  readonly args: JsonObject;
  /** Goes back with the answer. */
  readonly attempt?: number;
}

/** `runtime.tool.direct.started`: a direct tool request through the gateway */
export interface RuntimeToolDirectStarted {
  readonly type: 'runtime.tool.direct.started';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly toolId: string;
}

/** `runtime.tool.direct.completed`: it answered */
export interface RuntimeToolDirectCompleted {
  readonly type: 'runtime.tool.direct.completed';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly toolId: string;
  readonly output: JsonValue;
}

/** `runtime.tool.direct.failed`: it failed */
export interface RuntimeToolDirectFailed {
  readonly type: 'runtime.tool.direct.failed';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly toolId: string;
  readonly error: ErrorInfo;
}

/** `runtime.tool.denied`: policy or a person said no */
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
}

/** `runtime.mcp.server.unavailable`: the found subset stays usable */
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

/** `runtime.adapter.event`: the stable envelope of a signal */
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
  /** Gapless within (effectId, attempt). */
  readonly seq?: number;
}

/** What an adapter observed: `phase` for the signals of the catalogue, `traceType` for plan and delegation views. Further fields follow the phase. */
export interface AdapterEvent {
  readonly adapter: string;
  readonly phase?: string;
  readonly traceType?: 'plan' | 'delegation';
  readonly toolId?: string;
  readonly callId?: string;
  readonly text?: string;
  readonly args?: JsonValue;
  /** null = the outcome is not known. */
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
}

/** `runtime.progress.narration`: a view for people: reads events, changes nothing */
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

/** `runtime.workflow.requested`: an explicit workflow is wanted */
export interface RuntimeWorkflowRequested {
  readonly type: 'runtime.workflow.requested';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly effectId: string;
  readonly workflowId: string;
  readonly adapter: string;
  /** Goes back with the answer. */
  readonly attempt?: number;
  readonly input?: JsonValue;
}

/** `runtime.workflow.started`: it runs */
export interface RuntimeWorkflowStarted {
  readonly type: 'runtime.workflow.started';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly workflowId: string;
  readonly adapter: string;
}

/** `runtime.workflow.completed`: it ended well */
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

/** `runtime.workflow.failed`: it did not */
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

/** `runtime.artifact.created`: an artifact exists */
export interface RuntimeArtifactCreated {
  readonly type: 'runtime.artifact.created';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly artifact: Artifact;
}

/** `runtime.specDriven.phase.started`: a phase began */
export interface RuntimeSpecDrivenPhaseStarted {
  readonly type: 'runtime.specDriven.phase.started';
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly phaseId: string;
  readonly workflowId?: string;
}

/** `runtime.specDriven.phase.blocked`: a gate or a policy holds it */
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

/** `runtime.specDriven.phase.completed`: it is done */
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

/** `runtime.specDriven.phase.verified`: and was verified */
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

/** `runtime.skill.candidate.created`: a skill candidate was found */
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

/** Beside the proposed fact, in every answer that a worker sends to the inbox. */
export interface AnswerHead {
  readonly effectId: string;
  readonly attempt: number;
  readonly epoch?: number;
  readonly outcome?: 'failed' | 'unknown';
}

/** Bucket `claims`, key = effect id: who works on it now. */
export interface ClaimRecord {
  readonly attempt: number;
  readonly hostId: string;
  readonly state: 'working' | 'answered' | 'expired';
  /** Of the inbox message with the answer. */
  readonly subject: string;
  readonly answerRef?: BlobRef;
}

/** Bucket `controls`, key = effect id: what the control bus tells the host of a running stage. The host acts on orders whose number it has not seen. */
export interface ControlRecord {
  readonly orders: readonly ControlOrder[];
}

/** One order for a running stage. */
export interface ControlOrder {
  readonly number: number;
  readonly kind: 'cancel' | 'answer' | 'approve' | 'deny' | 'compact' | 'nudge';
  readonly payload?: JsonValue;
}

/** Bucket `harnesses`, key = host id and runtime id: what a host offers. Expires when the host is gone. */
export interface HarnessOffer {
  readonly runtimeId: string;
  readonly hostId: string;
  readonly version: string;
  readonly healthy: boolean;
  readonly reason?: string;
  readonly slots: number;
  readonly capabilities?: readonly string[];
  readonly providers?: readonly ProviderHealth[];
}

/** In an offer: whether the host can call the models of one provider. `unknown`: the provider responds, but its key or models cannot be checked. */
export interface ProviderHealth {
  readonly providerId: string;
  readonly status: 'ok' | 'unknown' | 'failed';
  readonly reason?: string;
  readonly hint?: string;
}

/** Bucket `requests`, key = hash of the idempotency key: created before the command. */
export interface RequestRecord {
  readonly requestId: string;
  readonly bodyHash: string;
  readonly workspaceId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly acceptedAt: string;
}

/** Bucket `sessions`, key = workspace and session: one running request, the others wait for their turn. */
export interface SessionRecord {
  /** What the next request inherits. */
  readonly state: SessionState;
  /** The request that runs now. */
  readonly running?: SessionTurn;
  /** Requests that wait, oldest first. */
  readonly queued: readonly SessionTurn[];
  /** Requests that have left it, the last ones, oldest first: none of them runs again. */
  readonly left?: readonly string[];
}

/** A request of a session. */
export interface SessionTurn {
  readonly requestId: string;
  /** Of one that had to wait: its command, which starts it when its turn comes. */
  readonly submitRef?: BlobRef;
}

/** Bucket `keys`, key = key id: a hashed API key. */
export interface ApiKeyRecord {
  readonly id: string;
  readonly name: string;
  /** Of the secret part. */
  readonly hash: string;
  readonly createdAt: string;
  readonly revokedAt?: string;
}

/** A compiled plan in the blobs store: what the plan compiler made of one revision. */
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
  readonly 'agent.langgraph.invoke': AgentLanggraphInvoke;
  readonly 'agent.node.completed': AgentNodeCompleted;
  readonly 'agent.native': AgentNative;
  readonly 'command.run.submit': CommandRunSubmit;
  readonly 'command.run.cancel': CommandRunCancel;
  readonly 'command.run.answer': CommandRunAnswer;
  readonly 'command.run.pause': CommandRunPause;
  readonly 'command.run.resume': CommandRunResume;
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
  readonly 'runtime.execution.contract.failed': RuntimeExecutionContractFailed;
  readonly 'runtime.stage.requested': RuntimeStageRequested;
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
