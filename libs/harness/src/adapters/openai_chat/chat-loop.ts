import { type JsonObject, type JsonValue, problemOf, ReinsError } from '@reins/contracts';
import { parseThinking } from '@reins/runtime-config';
import type { HarnessEnd, HarnessRun } from '../../contract.ts';
import type { SignalWriter } from '../../signals/signal-writer.ts';
import { UsageSum } from '../../signals/usage.ts';
import { AnswerForm, misfitProblem } from '../../structured/answer-form.ts';
import { ChatClient, type ChatListener } from './chat-client.ts';
import { FILE_TOOLS, type FileTool } from './file-tools.ts';
import { openingMessages } from './opening-messages.ts';
import type { ChatAnswer, ChatMessage, ChatRequest, ChatToolCall } from './protocol.ts';
import { openSession, saveSession } from './session.ts';
import { type ChatSettings, chatSettings } from './settings.ts';

export interface LoopParts {
  readonly signals: SignalWriter;
  readonly heard: () => void;
  readonly signal: AbortSignal;
}

const DEFAULT_OUTPUT_RETRIES = 2;

/** The chat and tool loop of one execution: asks, runs the tools that the model calls, asks again, until it answers. */
export class ChatLoop {
  readonly #run: HarnessRun;
  readonly #parts: LoopParts;
  readonly #settings: ChatSettings;
  readonly #tools: readonly FileTool[];
  readonly #client: ChatClient;
  readonly #usage: UsageSum;

  constructor(run: HarnessRun, parts: LoopParts) {
    this.#run = run;
    this.#parts = parts;
    this.#settings = chatSettings(run.environment.settings);
    this.#tools = FILE_TOOLS.filter((tool) => run.tools === undefined || run.tools.includes(tool.name));
    this.#client = new ChatClient(run.endpoint, this.#settings);
    this.#usage = new UsageSum(run.providerId, run.modelId);
  }

  /** Rejects with a ReinsError, or with the signal's reason. */
  async end(): Promise<HarnessEnd> {
    const run = this.#run;
    this.#parts.signals.handoff(
      `${run.providerId}/${run.modelId}`,
      this.#tools.map((tool) => tool.name),
    );
    this.#parts.heard(); // The loop is its own executor: it lives from here on.
    const form = run.outputSchema && (await AnswerForm.of(run.outputSchema));
    const session = await openSession(run.sessionDir, run.harnessSessionId);
    const { system, user } = await openingMessages(run, form);
    const messages: ChatMessage[] = [...session.messages, user];
    const output = await this.#converse(system, messages, form);
    await saveSession(run.sessionDir, { id: session.id, messages });
    return { status: 'ok', output, harnessSessionId: session.id, ...this.#usage.usage };
  }

  /** What was used so far, for an end that is none. */
  get usage(): ReturnType<() => UsageSum['usage']> {
    return this.#usage.usage;
  }

  async #converse(
    system: readonly ChatMessage[],
    messages: ChatMessage[],
    form: AnswerForm | undefined,
  ): Promise<JsonValue> {
    let retries = this.#run.outputRetries ?? DEFAULT_OUTPUT_RETRIES;
    for (let step = 0; step < this.#settings.maxSteps; step += 1) {
      const answer = await this.#ask([...system, ...messages]);
      messages.push(assistantMessage(answer));
      if (answer.calls.length > 0) {
        for (const call of answer.calls) messages.push(await this.#call(call));
        continue;
      }
      checkFinish(answer);
      if (!form) return answer.text;
      const checked = form.check(answer.text);
      if (checked.fits) return checked.value;
      if (retries === 0) throw new ReinsError(misfitProblem(checked.problems));
      retries -= 1;
      messages.push({ role: 'user', content: form.askAgain(checked.problems) });
    }
    const { maxSteps } = this.#settings;
    throw new ReinsError({
      code: 'harness_step_limit',
      message: `the model did not come to an end in ${maxSteps} steps`,
    });
  }

  async #ask(messages: readonly ChatMessage[]): Promise<ChatAnswer> {
    const { signals, heard, signal } = this.#parts;
    const listener: ChatListener = {
      heard,
      delta: ({ kind, text }) => (kind === 'text' ? signals.text(text) : signals.thinking(text)),
    };
    const answer = await this.#client.complete(this.#request(messages), listener, signal);
    if (answer.usage) this.#usage.add(answer.usage);
    return answer;
  }

  #request(messages: readonly ChatMessage[]): ChatRequest {
    const { level } = parseThinking(this.#run.thinkingValue);
    const { maxOutputTokens } = this.#settings;
    return {
      model: this.#run.modelId,
      messages,
      ...(this.#tools.length > 0 && { tools: this.#tools.map((tool) => tool.declaration) }),
      ...(level !== null && level !== 'off' && { reasoning_effort: level }),
      ...(maxOutputTokens > 0 && { max_completion_tokens: maxOutputTokens }),
    };
  }

  /** Runs one call; what goes wrong is the model's to read and to mend. */
  async #call(call: ChatToolCall): Promise<ChatMessage> {
    const { signals, signal } = this.#parts;
    signal.throwIfAborted();
    const { name, arguments: written } = call.function;
    const args = parseArguments(written);
    signals.toolStart(call.id, name, args ?? written);
    try {
      const tool = this.#tools.find((candidate) => candidate.name === name);
      if (!tool)
        throw new Error(`there is no tool ${name}; the tools are ${this.#tools.map((item) => item.name).join(', ')}`);
      if (!args) throw new Error('the arguments are no JSON object');
      const output = await tool.run(this.#run.workDir, args);
      signals.toolResult(call.id, { output, error: null });
      return { role: 'tool', tool_call_id: call.id, content: output };
    } catch (error) {
      const { message } = problemOf(error);
      signals.toolResult(call.id, { output: null, error: message });
      return { role: 'tool', tool_call_id: call.id, content: `Error: ${message}` };
    }
  }
}

function assistantMessage({ text, calls }: ChatAnswer): ChatMessage {
  return { role: 'assistant', content: text === '' ? null : text, ...(calls.length > 0 && { tool_calls: calls }) };
}

function parseArguments(written: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(written === '' ? '{}' : written);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

/** Only `stop` is a whole answer. */
function checkFinish({ finishReason }: ChatAnswer): void {
  if (finishReason === 'stop') return;
  const cut = finishReason === 'length';
  const message = cut
    ? 'the answer is longer than the model may answer'
    : `the model ended with ${JSON.stringify(finishReason)}`;
  throw new ReinsError({ code: 'model_call_refused', message });
}
