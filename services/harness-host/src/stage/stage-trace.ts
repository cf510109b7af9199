import type { BusMessage } from '@reins/bus';
import {
  type AdapterEvent,
  isReinsError,
  type JsonValue,
  type RuntimeStageRequested,
  type TraceHeaders,
} from '@reins/contracts';
import type { HarnessRun } from '@reins/harness';
import {
  childContext,
  readTrace,
  runAttributes,
  type SpanAttributes,
  type SpanContext,
  type Telemetry,
  writeTrace,
} from '@reins/service-kit/telemetry';
import type { MeasuredCall } from '../doors/model/usage/metered-call.ts';
import type { Redactor } from '../secrets/redactor.ts';
import type { StageAnswer } from './answers.ts';

/** The run and the redactor, once they are known. */
interface Work {
  readonly run: HarnessRun;
  readonly redactor: Redactor;
}

interface OpenTool {
  readonly toolId: string;
  readonly from: number;
  readonly args: JsonValue | undefined;
}

/**
 * Creates the span of a stage run and of each tool call, by the OpenTelemetry semantic conventions for generative AI
 * (`invoke_agent`, `execute_tool`). Omits prompts, outputs and tool arguments unless the operator enabled them.
 * Always redacts secrets.
 */
export class StageTrace {
  readonly #telemetry: Telemetry;
  readonly #event: RuntimeStageRequested;
  readonly #parent: SpanContext | undefined;
  readonly #context: SpanContext;
  readonly #from = Date.now();
  readonly #tools = new Map<string, OpenTool>();
  #work: Work | undefined;

  constructor(telemetry: Telemetry, event: RuntimeStageRequested, message: BusMessage) {
    this.#telemetry = telemetry;
    this.#event = event;
    this.#parent = readTrace(message.event);
    this.#context = childContext(this.#parent);
  }

  /** The trace context for signals: the span of the stage if telemetry is on, else the context of the request. */
  get headers(): TraceHeaders | undefined {
    if (!this.#parent) return undefined;
    return writeTrace(this.#telemetry.on ? this.#context : this.#parent);
  }

  prepared(run: HarnessRun, redactor: Redactor): void {
    this.#work = { run, redactor };
  }

  signal(signal: AdapterEvent): void {
    const { phase } = signal;
    if (!this.#on || !this.#work || (phase !== 'agent.tool.start' && phase !== 'agent.tool.result')) return;
    const safe = this.#work.redactor.value(signal as unknown as JsonValue) as unknown as AdapterEvent;
    const { callId = '', toolId = '', args, output, error } = safe;
    if (phase === 'agent.tool.start') this.#tools.set(callId, { toolId, args, from: Date.now() });
    else this.#endTool(callId, { output, failed: error !== undefined && error !== null });
  }

  /** Records the span of a model call. */
  modelCall({ call, operation, cacheWriteTokens, from, to, error }: MeasuredCall): void {
    if (!this.#on) return;
    this.#telemetry.span({
      name: `${operation} ${call.model}`,
      kind: 'client',
      context: childContext(this.#context),
      parentId: this.#context.spanId,
      from,
      to,
      attributes: {
        ...runAttributes(this.#event),
        'gen_ai.operation.name': operation,
        'gen_ai.provider.name': call.provider || undefined,
        'gen_ai.request.model': call.model || undefined,
        'gen_ai.conversation.id': this.#event.sessionId,
        'gen_ai.usage.input_tokens': call.inputTokens,
        'gen_ai.usage.output_tokens': call.outputTokens,
        'gen_ai.usage.cache_read.input_tokens': call.cachedInputTokens,
        'gen_ai.usage.cache_creation.input_tokens': cacheWriteTokens,
        'http.response.status_code': call.status,
        'reins.usage.source': call.usage,
        'reins.usage.cost_usd': call.costUsd,
      },
      error,
    });
  }

  /** Ends the span of a stage that has an answer. */
  answered(answer: StageAnswer): void {
    if (answer.type === 'runtime.stage.completed') this.#end(undefined, this.#completed(answer));
    else if (answer.type === 'runtime.stage.waiting') this.#end(undefined, {});
    else this.#end(answer.type === 'runtime.stage.failed' ? answer.error.code : 'cancelled', {});
  }

  #completed({ usage, output }: Extract<StageAnswer, { type: 'runtime.stage.completed' }>): SpanAttributes {
    return {
      'gen_ai.usage.input_tokens': usage?.inputTokens,
      'gen_ai.usage.output_tokens': usage?.outputTokens,
      'gen_ai.usage.cache_read.input_tokens': usage?.cachedInputTokens,
      'gen_ai.response.model': usage?.model,
      'gen_ai.output.messages': this.#text('assistant', output),
    };
  }

  /** Ends the span of a stage without an answer; another host may work on it. */
  failed(error: unknown): void {
    this.#end(isReinsError(error) ? error.code : 'internal_error', {});
  }

  get #on(): boolean {
    return this.#telemetry.on && this.#parent !== undefined;
  }

  #end(error: string | undefined, more: SpanAttributes): void {
    if (!this.#on) return;
    for (const callId of [...this.#tools.keys()]) this.#endTool(callId, { output: null, failed: true });
    const { agentId, sessionId, stage, runtimeId, attempt, effectId } = this.#event;
    const { providerId, modelId, prompt } = this.#work?.run ?? {};
    this.#telemetry.span({
      name: `invoke_agent ${agentId}`,
      kind: 'internal',
      context: this.#context,
      parentId: this.#parent?.spanId,
      from: this.#from,
      to: Date.now(),
      attributes: {
        ...runAttributes(this.#event),
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.id': agentId,
        'gen_ai.agent.name': agentId,
        'gen_ai.conversation.id': sessionId,
        'gen_ai.provider.name': providerId || undefined,
        'gen_ai.request.model': modelId || undefined,
        'gen_ai.input.messages': prompt === undefined ? undefined : this.#text('user', prompt),
        'reins.stage': stage,
        'reins.runtime_id': runtimeId,
        'reins.attempt': attempt,
        'reins.effect_id': effectId,
        ...more,
      },
      error,
    });
  }

  #endTool(callId: string, { output, failed }: { readonly output: JsonValue | undefined; readonly failed: boolean }) {
    const tool = this.#tools.get(callId);
    if (!tool) return;
    this.#tools.delete(callId);
    this.#telemetry.span({
      name: `execute_tool ${tool.toolId}`,
      kind: 'internal',
      context: childContext(this.#context),
      parentId: this.#context.spanId,
      from: tool.from,
      to: Date.now(),
      attributes: {
        ...runAttributes(this.#event),
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': tool.toolId,
        'gen_ai.tool.call.id': callId || undefined,
        'gen_ai.tool.type': 'function',
        'gen_ai.conversation.id': this.#event.sessionId,
        'gen_ai.tool.call.arguments': this.#shown(tool.args),
        'gen_ai.tool.call.result': this.#shown(output),
      },
      error: failed ? 'tool_failed' : undefined,
    });
  }

  #text(role: 'user' | 'assistant', value: JsonValue): string | undefined {
    const content = typeof value === 'string' ? value : JSON.stringify(value);
    return this.#shown([{ role, parts: [{ type: 'text', content }] }]);
  }

  /** The redacted value; undefined unless the operator enabled content in telemetry. */
  #shown(value: JsonValue | undefined): string | undefined {
    if (value === undefined || !this.#telemetry.content || !this.#work) return undefined;
    return JSON.stringify(this.#work.redactor.value(value));
  }
}
