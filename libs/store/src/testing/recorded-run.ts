import {
  type AnyEvent,
  defined,
  eventSubject,
  type JsonObject,
  type ParentRef,
  type Stage,
  subjectTypeOf,
} from '@reins/contracts';
import type { LogEvent } from '../projection/log-event.ts';

export interface RecordedRunOptions {
  readonly requestId?: string;
  readonly workspaceId?: string;
  readonly sessionId?: string;
  /** Sequence of the first event. */
  readonly firstSeq?: number;
  /** Of a child run. */
  readonly parent?: ParentRef;
}

const TREES = ['a', 'b', 'c'].map((digit) => digit.repeat(64)) as [string, string, string];
const BLOB = { sha256: 'd'.repeat(64), size: 10 };
const LIMITS = { startWithinMs: 1000, runForMs: 60_000, maxAttempts: 2, onUnknown: 'retry' };
const START = Date.parse('2026-01-31T12:00:00.000Z');

/**
 * The events of a run as the control bus publishes them: plan; interview on `openai_chat`; execute on `pi`, whose first
 * attempt fails and whose second one asks a question and calls a tool; evaluate with a verdict; an approval, an
 * artifact and usage; completed.
 */
export function recordedRun(options: RecordedRunOptions = {}): LogEvent[] {
  return new Recording(options).run();
}

class Recording {
  readonly #events: LogEvent[] = [];
  readonly #requestId: string;
  readonly #head: JsonObject;
  readonly #firstSeq: number;
  readonly #parent: ParentRef | undefined;

  constructor({
    requestId = '01KAJ00000000000000000RUN1',
    workspaceId = 'quickstart',
    sessionId = 's1',
    firstSeq = 1,
    parent,
  }: RecordedRunOptions) {
    this.#parent = parent;
    this.#requestId = requestId;
    this.#head = { requestId, sessionId, agentId: 'main', workspaceId };
    this.#firstSeq = firstSeq;
  }

  run(): LogEvent[] {
    this.record('runtime.request.started', this.#parent ? { parent: { ...this.#parent } } : {});
    this.record('runtime.plan.requested', { effectId: 'e1', attempt: 1, revision: TREES[0] });
    this.record('runtime.plan.compiled', {
      effectId: 'e1',
      planRef: BLOB,
      configChecksum: 'e'.repeat(64),
      inputsChecksum: 'f'.repeat(64),
      diagnostics: [],
    });
    this.#prepared('e2', 'interview', 'openai_chat');
    this.#requested('e3', 'interview', 'openai_chat', 1, 'continue');
    this.#started('e3', 'interview', 'openai_chat', 1);
    this.#completed('e3', 'interview', 'openai_chat', 1, { output: { text: 'clear' }, tree: TREES[0] });
    this.#prepared('e4', 'execute', 'pi');
    this.#requested('e5', 'execute', 'pi', 1, 'continue');
    this.#failed('e5', 'execute', 'pi', 1);
    this.#requested('e5', 'execute', 'pi', 2, 'retry');
    this.#started('e5', 'execute', 'pi', 2);
    this.#question('e5');
    this.#tool('e5');
    this.#completed('e5', 'execute', 'pi', 2, { output: { text: 'done' }, tree: TREES[1], usage: USAGE });
    this.record('runtime.artifact.created', { artifact: ARTIFACT });
    this.record('runtime.usage.recorded', { stage: 'execute', runtimeId: 'pi', ...USAGE });
    this.#approval();
    this.#prepared('e6', 'evaluate', 'openai_chat');
    this.#requested('e7', 'evaluate', 'openai_chat', 1, 'evaluate');
    this.#started('e7', 'evaluate', 'openai_chat', 1);
    this.#completed('e7', 'evaluate', 'openai_chat', 1, {
      output: null,
      tree: TREES[1],
      verdict: { outcome: 'pass', reasons: ['works'] },
    });
    this.record('runtime.request.completed', { output: { text: 'done' } });
    this.#directive('execution', this.#requestId, 'converge', true);
    return this.#events;
  }

  record(type: string, fields: JsonObject = {}, subjectEnd?: string): void {
    const body = { type, ...this.#head, ...fields } as unknown as AnyEvent;
    const index = this.#events.length;
    const { workspaceId, requestId } = body;
    const address = {
      type: subjectTypeOf(body),
      workspaceId,
      requestId,
      ...defined({ runtimeId: subjectEnd }),
    };
    this.#events.push({
      id: `${this.#requestId}.${index}`,
      seq: this.#firstSeq + index,
      subject: eventSubject(address),
      source: 'control-bus',
      time: new Date(START + index * 1000).toISOString(),
      version: index + 1,
      body,
    });
  }

  #prepared(effectId: string, stage: Stage, runtimeId: string): void {
    const fields = {
      effectId,
      stage,
      runtimeId,
      planRef: BLOB,
      attempt: 1,
      iteration: 1,
      input: { input: 'hello' },
      tree: TREES[0],
    };
    this.record('runtime.prepare.requested', fields);
    this.record('runtime.prepare.completed', {
      effectId,
      hostRequestRef: BLOB,
      snapshotRef: BLOB,
      fingerprint: 'e'.repeat(64),
      timings: { total: 1 },
    });
  }

  #requested(effectId: string, stage: Stage, runtimeId: string, attempt: number, directive: string): void {
    const limits = { limits: LIMITS, deadline: '2026-01-31T13:00:00.000Z' };
    this.record(
      'runtime.stage.requested',
      { effectId, stage, runtimeId, attempt, hostRequestRef: BLOB, tree: TREES[0], ...limits },
      runtimeId,
    );
    const extra = { stage, runtime_id: runtimeId, runtime_source: 'stage', effect_id: effectId, attempt };
    this.#directive('execution_node', effectId, directive, false, extra);
  }

  #directive(targetType: string, targetId: string, directive: string, isTerminal: boolean, extra?: JsonObject): void {
    const fields = {
      schemaVersion: 1,
      targetType,
      targetId,
      directive,
      isTerminal,
      emittedBy: 'control-bus',
      reason: directive,
    };
    this.record('control.directive.emitted', { ...fields, ...(extra && { extra }) });
  }

  #started(effectId: string, stage: Stage, runtimeId: string, attempt: number): void {
    const about = { effectId, stage, runtimeId, attempt };
    this.record('runtime.stage.started', { ...about, hostId: 'host-1', mcpServerMappings: [], timings: { spawn: 5 } });
    this.#signal(about, 1, { phase: 'agent.handoff', modelRef: 'm', tools: ['read'], subagents: [] });
  }

  #completed(effectId: string, stage: Stage, runtimeId: string, attempt: number, fields: JsonObject): void {
    this.record('runtime.stage.completed', { effectId, stage, runtimeId, attempt, ...fields, timings: { run: 9 } });
  }

  #failed(effectId: string, stage: Stage, runtimeId: string, attempt: number): void {
    const error = { code: 'internal_error', message: 'the harness went away' };
    this.record('runtime.stage.failed', {
      effectId,
      stage,
      runtimeId,
      attempt,
      error,
      retryable: true,
      outcome: 'unknown',
    });
  }

  #question(effectId: string): void {
    this.record('runtime.stage.waiting', {
      effectId,
      stage: 'execute',
      runtimeId: 'pi',
      question: { text: 'Which colour?' },
      questionNumber: 1,
    });
    this.record('runtime.request.waiting', { reason: 'user', effectId, questionNumber: 1 });
    this.#directive('execution', this.#requestId, 'wait', false);
    this.record('runtime.request.resumed', { effectId });
    this.#directive('execution', this.#requestId, 'continue', false);
  }

  #tool(effectId: string): void {
    const about = { effectId, stage: 'execute' as const, attempt: 2 };
    this.#signal(about, 2, { phase: 'agent.tool.start', toolId: 'read', callId: 'c1', args: { path: 'a' } });
    this.#signal(about, 3, { phase: 'agent.tool.result', toolId: 'read', callId: 'c1', output: 'text', error: null });
  }

  #signal(about: { effectId: string; stage: Stage; attempt: number }, seq: number, event: JsonObject): void {
    const { effectId, stage, attempt } = about;
    this.record('runtime.adapter.event', { effectId, stage, attempt, seq, event: { adapter: 'pi', ...event } });
  }

  #approval(): void {
    const subject = { kind: 'tool', toolId: 'deploy' };
    this.record('runtime.approval.requested', { approvalId: 'a1', subject, expiresAt: '2026-02-01T12:00:00.000Z' });
    this.record('runtime.approval.resolved', { approvalId: 'a1', decision: 'approved', decidedBy: 'ann' });
  }
}

const USAGE = {
  provider: 'scripted',
  model: 'm',
  inputTokens: 100,
  cachedInputTokens: 10,
  outputTokens: 20,
  costUsd: 0.5,
  source: 'reported',
};
const ARTIFACT = { id: 'art1', path: 'out.txt', mediaType: 'text/plain', bytes: 3, sha256: TREES[2], ref: TREES[2] };
