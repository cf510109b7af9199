import type { JsonObject, Problem } from '@reins/contracts';
import { numberOf, objectOf, parseObject, textOf } from '../../execution/json.ts';
import { modelFailure, shortened } from '../../execution/model-failure.ts';
import { codeOfStatus } from '../../execution/model-status.ts';
import type { AdapterEventWriter, ToolOutcome } from '../../signals/signal-writer.ts';
import type { UsageSum } from '../../signals/usage.ts';

/** How clients word a connection that the model has closed before its answer was complete. */
const CUT = /closed|incomplete|truncat|peer|stream|reset|chunk/i;
const INVALID = /json|decode|parse|expect|invalid|empty/i;

/** Reads the messages of Hermes and of the relay in it: emits signals, sums up the usage, and keeps the last answer. */
export class HermesTranscript {
  readonly #signals: AdapterEventWriter;
  readonly #usage: UsageSum;
  readonly #nameOf: (tool: string) => string;
  #message: string | undefined;
  #failure: Problem | undefined;
  #question: string | undefined;

  constructor(signals: AdapterEventWriter, usage: UsageSum, nameOf: (tool: string) => string) {
    this.#signals = signals;
    this.#usage = usage;
    this.#nameOf = nameOf;
  }

  /** The text of the last answer of the model; undefined until there is one without calls. */
  get message(): string | undefined {
    return this.#message;
  }

  /** Why the last model call failed; undefined after a call that succeeded. */
  get failure(): Problem | undefined {
    return this.#failure;
  }

  /** The question of a tool that asked the user. */
  get question(): string | undefined {
    return this.#question;
  }

  /** A message of the protocol of Hermes. */
  updated({ sessionUpdate, content }: JsonObject): void {
    if (sessionUpdate === 'agent_thought_chunk') this.#signals.thinking(textOf(objectOf(content).text));
    else if (sessionUpdate === 'agent_message_chunk') this.#signals.text(textOf(objectOf(content).text));
  }

  /** A call of a tool starts. With a reason, it is refused. */
  called({ id, tool, args }: JsonObject, refusal: string | undefined): void {
    this.#signals.toolStart(textOf(id), this.#nameOf(textOf(tool)), args ?? null);
    if (refusal !== undefined) this.#signals.toolResult(textOf(id), { output: null, error: refusal });
  }

  /** A message of the relay. */
  relayed(kind: string, params: JsonObject): void {
    if (kind === 'result') this.#signals.toolResult(textOf(params.id), outcomeOf(params));
    else if (kind === 'answer') this.#answered(params);
    else if (kind === 'failure') this.#failure = failureOf(params);
    else if (kind === 'question') this.#question ??= textOf(params.question);
  }

  #answered({ text, calls, reason, usage }: JsonObject): void {
    this.#message = calls === 0 ? textOf(text) : undefined;
    this.#failure = reason === 'stop' || reason === 'tool_calls' ? undefined : endProblem(textOf(reason));
    const used = objectOf(usage);
    const cached = numberOf(used.cache_read_tokens);
    this.#usage.add({
      inputTokens: numberOf(used.prompt_tokens) || numberOf(used.input_tokens) + cached,
      cachedInputTokens: cached,
      outputTokens: numberOf(used.output_tokens),
    });
  }
}

/** Results are JSON: of a command with its exit code, of a server in `result`, of a failure in `error`. */
function outcomeOf({ result, status, error }: JsonObject): ToolOutcome {
  const text = textOf(result);
  const value = parseObject(text) ?? {};
  const failure = textOf(error) || textOf(value.error);
  const { exit_code: code } = value;
  const output =
    typeof value.output === 'string' ? value.output : typeof value.result === 'string' ? value.result : text;
  if (typeof code === 'number' && code !== 0)
    return { output: null, error: `${output || failure}\n(exit code ${code})`.trim() };
  return failure !== '' || status === 'error' ? { output: null, error: failure || text } : { output, error: null };
}

function failureOf({ status, message }: JsonObject): Problem {
  const text = textOf(message);
  if (typeof status === 'number' && status >= 400)
    return { code: codeOfStatus(status), message: modelFailure(status, text) };
  const code = CUT.test(text) ? 'model_answer_cut' : INVALID.test(text) ? 'model_answer_invalid' : 'model_unavailable';
  return { code, message: `the model call failed: ${shortened(text)}` };
}

/** The problem of an answer that did not end as one of a model does. */
const endProblem = (reason: string): Problem => ({
  code: 'model_answer_cut',
  message: `the answer of the model is not complete (${reason || 'no reason'})`,
});
