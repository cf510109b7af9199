import { type JsonObject, type JsonValue, problemOf, ReinsError } from '@reins/contracts';
import type { HarnessResult, HarnessRun, OfferedTool } from '../../contract.ts';
import { needsBreakpoints } from '../../execution/prompt-caching.ts';
import { thinkingOf } from '../../execution/thinking.ts';
import type { AdapterEventWriter } from '../../signals/signal-writer.ts';
import { UsageSum } from '../../signals/usage.ts';
import { invalidOutputProblem, OutputValidator } from '../../structured/output-validator.ts';
import { refusedByHost } from '../../tools/ask-host.ts';
import { decideCall, refusalOf } from '../../tools/decide-call.ts';
import { RunTools } from '../../tools/run-tools.ts';
import { withBreakpoints } from './breakpoints.ts';
import { ChatClient, type ChatListener } from './chat-client.ts';
import { FILE_TOOLS, type FileTool } from './file-tools.ts';
import { ModelError } from './model-error.ts';
import { openingMessages } from './opening-messages.ts';
import type { ChatAnswer, ChatMessage, ChatRequest, ChatTool, ChatToolCall } from './protocol.ts';
import { openSession, saveSession } from './session.ts';
import { type ChatSettings, chatSettings } from './settings.ts';
import { thinkingFields } from './thinking-fields.ts';

export interface LoopParts {
  readonly signals: AdapterEventWriter;
  readonly recordActivity: () => void;
  readonly signal: AbortSignal;
}

const DEFAULT_OUTPUT_RETRIES = 2;

/** The chat and tool loop of one execution: calls the model and runs its tool calls until the model answers. */
export class ChatLoop {
  readonly #run: HarnessRun;
  readonly #parts: LoopParts;
  readonly #settings: ChatSettings;
  readonly #tools: readonly FileTool[];
  readonly #client: ChatClient;
  readonly #usage: UsageSum;
  /** The tools that the run's tool gateway serves. */
  readonly #served: RunTools;
  /** The question of a tool that asked the user. */
  #question: string | undefined;
  /** The output schema for the endpoint; undefined without a schema or when the endpoint rejected it. */
  #format: ChatRequest['response_format'];

  constructor(run: HarnessRun, parts: LoopParts) {
    this.#run = run;
    this.#parts = parts;
    this.#settings = chatSettings(run.environment.settings);
    this.#tools = FILE_TOOLS.filter((tool) => run.tools === undefined || run.tools.includes(tool.name));
    this.#served = new RunTools(run, parts.signal);
    this.#client = new ChatClient(run.endpoint, this.#settings);
    this.#usage = new UsageSum(run.providerId, run.modelId);
  }

  /** @throws ReinsError when the run fails; the signal's reason when it was aborted */
  async run(): Promise<HarnessResult> {
    this.#parts.recordActivity(); // The loop runs in this process, so it is alive from here on.
    try {
      return await this.#execute();
    } finally {
      await this.#served.close();
    }
  }

  async #execute(): Promise<HarnessResult> {
    const run = this.#run;
    this.#parts.signals.handoff(
      `${run.providerId}/${run.modelId}`,
      this.#declarations.map((tool) => tool.function.name),
    );
    const validator = run.outputSchema && (await OutputValidator.of(run.outputSchema));
    this.#format = validator && formatOf(validator);
    const session = await openSession(run.sessionDir, run.harnessSessionId);
    const { system, user } = await openingMessages(run, validator);
    const messages: ChatMessage[] = [...session.messages, user];
    const output = await this.#converse(system, messages, validator);
    await saveSession(run.sessionDir, { id: session.id, messages });
    const more = { harnessSessionId: session.id, ...this.#usage.usage };
    if (this.#question !== undefined) return { status: 'waiting', question: this.#question, ...more };
    return { status: 'ok', output, ...more };
  }

  /** The usage so far, for an execution that does not complete. */
  get usage(): ReturnType<() => UsageSum['usage']> {
    return this.#usage.usage;
  }

  /** The output; null when a tool asked the user. */
  async #converse(
    system: readonly ChatMessage[],
    messages: ChatMessage[],
    validator: OutputValidator | undefined,
  ): Promise<JsonValue> {
    let retries = this.#run.outputRetries ?? DEFAULT_OUTPUT_RETRIES;
    for (let step = 0; step < this.#settings.maxSteps; step += 1) {
      const answer = await this.#ask([...system, ...messages]);
      messages.push(assistantMessage(answer));
      if (answer.calls.length > 0) {
        for (const call of answer.calls) messages.push(await this.#call(call));
        if (this.#question !== undefined) return null;
        continue;
      }
      checkFinish(answer);
      if (!validator) return answer.text;
      const checked = await validator.check(answer.text);
      if (checked.valid) return checked.value;
      if (retries === 0) throw new ReinsError(invalidOutputProblem(answer.text, checked.problems));
      retries -= 1;
      messages.push({ role: 'user', content: validator.retryMessage(checked.problems) });
    }
    const { maxSteps } = this.#settings;
    throw new ReinsError({
      code: 'harness_step_limit',
      message: `the model did not finish within ${maxSteps} steps`,
    });
  }

  async #ask(messages: readonly ChatMessage[]): Promise<ChatAnswer> {
    const { signals, recordActivity, signal } = this.#parts;
    const listener: ChatListener = {
      recordActivity,
      delta: ({ kind, text }) => (kind === 'text' ? signals.text(text) : signals.thinking(text)),
    };
    const answer = await this.#complete(messages, listener, signal);
    if (answer.usage) this.#usage.add(answer.usage);
    return answer;
  }

  /** Some endpoints reject `response_format`. Then calls without it: prompt and validation remain. */
  async #complete(messages: readonly ChatMessage[], listener: ChatListener, signal: AbortSignal): Promise<ChatAnswer> {
    try {
      return await this.#client.complete(this.#request(messages), listener, signal);
    } catch (error) {
      if (!this.#format || !(error instanceof ModelError) || error.code !== 'model_call_refused') throw error;
      this.#format = undefined;
      return this.#client.complete(this.#request(messages), listener, signal);
    }
  }

  get #declarations(): readonly ChatTool[] {
    return [...this.#tools.map((tool) => tool.declaration), ...this.#served.tools.map(declarationOf)];
  }

  #request(messages: readonly ChatMessage[]): ChatRequest {
    const thinking = thinkingFields(thinkingOf(this.#run), this.#run.endpoint);
    // Anthropic needs a limit above the budget.
    const { maxOutputTokens: needed = 0 } = (thinking.thinking?.type === 'enabled' && this.#run.model) || {};
    const maxOutputTokens = this.#settings.maxOutputTokens || needed;
    const tools = this.#declarations;
    return {
      model: this.#run.modelId,
      messages: needsBreakpoints(this.#run) ? withBreakpoints(messages) : messages,
      ...(tools.length > 0 && { tools }),
      ...(this.#format && { response_format: this.#format }),
      ...thinking,
      ...(maxOutputTokens > 0 && { max_completion_tokens: maxOutputTokens }),
    };
  }

  /** Runs one call. Returns a failure as the tool's result, so that the model can correct it. */
  async #call(call: ChatToolCall): Promise<ChatMessage> {
    const { signals, signal } = this.#parts;
    signal.throwIfAborted();
    const { name, arguments: rawArguments } = call.function;
    const args = parseArguments(rawArguments);
    signals.toolStart(call.id, name, args ?? rawArguments);
    try {
      const output = await this.#perform(name, args, call.id);
      signals.toolResult(call.id, { output, error: null });
      return { role: 'tool', tool_call_id: call.id, content: output };
    } catch (error) {
      const { message } = problemOf(error);
      signals.toolResult(call.id, { output: null, error: message });
      return {
        role: 'tool',
        tool_call_id: call.id,
        content: /^\w*Error\b/.test(message) ? message : `Error: ${message}`,
      };
    }
  }

  /** @throws Error with a message for the model */
  async #perform(name: string, args: JsonObject | undefined, callId: string): Promise<string> {
    if (!args) throw new Error('the arguments are not a JSON object');
    const names = this.#declarations.map((item) => item.function.name);
    // Offered tools are allowed. The gateway decides about those that it serves.
    const policy = { has: (each: string) => names.includes(each), needsApproval: () => false };
    const refusal = refusalOf(decideCall(name, policy));
    if (refusal !== undefined) throw new Error(`${refusal}; the tools are ${names.join(', ')}`);
    const tool = this.#tools.find((candidate) => candidate.name === name);
    if (tool) {
      const refused = await refusedByHost(this.#run.callDecisions, { tool: name, args, callId });
      if (refused !== undefined) throw new Error(refused);
      return tool.run(this.#run.workDir, args);
    }
    const { text, isError, question } = await this.#served.call(name, args, callId);
    if (isError) throw new Error(text);
    this.#question ??= question;
    return text;
  }
}

function declarationOf({ name, description, parameters }: OfferedTool): ChatTool {
  return { type: 'function', function: { name, description, parameters } };
}

/** The output schema as `response_format`. Not strict, because strict mode does not support every schema. */
function formatOf({ schema }: OutputValidator): ChatRequest['response_format'] {
  return { type: 'json_schema', json_schema: { name: 'answer', schema, strict: false } };
}

function assistantMessage({ text, calls }: ChatAnswer): ChatMessage {
  return { role: 'assistant', content: text === '' ? null : text, ...(calls.length > 0 && { tool_calls: calls }) };
}

function parseArguments(rawArguments: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(rawArguments === '' ? '{}' : rawArguments);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

/** Accepts only an answer with the finish reason `stop`. */
function checkFinish({ finishReason }: ChatAnswer): void {
  if (finishReason === 'stop') return;
  const tooLong = finishReason === 'length';
  const message = tooLong
    ? 'the answer exceeds the output limit of the model'
    : `the model stopped with the finish reason ${JSON.stringify(finishReason)}`;
  throw new ReinsError({ code: 'model_call_refused', message });
}
