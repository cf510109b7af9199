import {
  type AnyEvent,
  defined,
  type ErrorInfo,
  type EventType,
  isObject,
  type JsonValue,
  parseJson,
  type RuntimeAdapterEvent,
  type Stage,
} from '@reins/contracts';
import { bodyOf, type EventFrame } from '../../events/frames.ts';
import { LiveText, type SignalKind } from './live-text.ts';

/** A part of an answer while it is written. */
export type AnswerPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tool'; readonly progress: ToolProgress }
  | { readonly kind: 'narration'; readonly message: string };

/** Which tool does what, without its arguments and results: those are in the native events of the request. */
export interface ToolProgress {
  /** The type of the event, such as `agent.tool.start`. */
  readonly phase: string;
  readonly toolId?: string;
  readonly callId?: string;
  readonly stage?: Stage;
  readonly effectId: string;
  readonly failed?: true;
}

/** How a request ended. */
export type AnswerEnd =
  | { readonly status: 'completed'; readonly output: JsonValue }
  | { readonly status: 'failed'; readonly error: Pick<ErrorInfo, 'code' | 'message'> }
  | { readonly status: 'cancelled'; readonly reason?: string };

/** A question that the request waits for an answer to. */
export interface OpenQuestion {
  readonly effectId: string;
  readonly questionNumber?: number;
  readonly text: string;
}

/** The tokens of all stages. */
export interface AnswerUsage {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
}

/** Event types that an answer does not depend on. Their bodies are not parsed. */
const IGNORED = /^(?:control\.|runtime\.(?:plan|prepare|artifact|approval|memory)\.)/;

/** The answer of a request, folded from its events. Pure. */
export class Answer {
  readonly #liveStage: Stage | undefined;
  readonly #text = new LiveText();
  readonly #questions = new Map<string, string>();
  #question: OpenQuestion | undefined;
  #end: AnswerEnd | undefined;
  #usage: AnswerUsage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };

  /** @param liveStage the stage whose text is the answer while it is written; undefined: the answer comes as a whole */
  constructor(liveStage: Stage | undefined) {
    this.#liveStage = liveStage;
  }

  /** How the request ended; undefined while it is open. */
  get end(): AnswerEnd | undefined {
    return this.#end;
  }

  /** The question that it waits for an answer to. */
  get question(): OpenQuestion | undefined {
    return this.#question;
  }

  get usage(): AnswerUsage {
    return this.#usage;
  }

  /** Adds an event of the request. Returns what to show of it. */
  add(frame: EventFrame): readonly AnswerPart[] {
    const { type } = frame;
    if (IGNORED.test(type)) return [];
    const event = parseJson(bodyOf(frame)) as unknown as AnyEvent;
    return type.startsWith('agent.') ? this.#signal(type, event as RuntimeAdapterEvent) : this.#fact(event);
  }

  /** What is missing of the final text. */
  missingText(text: string): string {
    return this.#text.finish(text);
  }

  #signal(type: EventType, event: RuntimeAdapterEvent): readonly AnswerPart[] {
    const { stage, effectId, attempt, seq, event: signal } = event;
    const tool: AnswerPart[] = type.startsWith('agent.tool.') ? [{ kind: 'tool', progress: toolOf(type, event) }] : [];
    // Events of earlier versions have no number.
    if (stage === undefined || stage !== this.#liveStage || seq === undefined) return tool;
    const text = this.#text.add({
      attempt: `${effectId}.${attempt}`,
      seq,
      kind: kindOf(type),
      ...(signal.text !== undefined && { text: signal.text }),
    });
    return text === '' ? tool : [...tool, { kind: 'text', text }];
  }

  #fact(event: AnyEvent): readonly AnswerPart[] {
    switch (event.type) {
      case 'runtime.progress.narration':
        return [{ kind: 'narration', message: event.message }];
      case 'runtime.tool.direct.requested':
      case 'runtime.tool.direct.started':
      case 'runtime.tool.direct.completed':
      case 'runtime.tool.direct.failed':
        return [{ kind: 'tool', progress: directTool(event) }];
      case 'runtime.usage.recorded':
        this.#usage = sumOf(this.#usage, event);
        break;
      case 'runtime.stage.waiting':
        this.#questions.set(event.effectId, plainText(event.question));
        break;
      case 'runtime.request.waiting':
        if (event.reason === 'user') this.#question = this.#questionOf(event);
        break;
      case 'runtime.request.resumed':
        this.#question = undefined;
        break;
      case 'runtime.request.completed':
        this.#end = { status: 'completed', output: event.output };
        break;
      case 'runtime.request.failed':
        this.#end = { status: 'failed', error: event.error };
        break;
      case 'runtime.request.cancelled':
        this.#end = { status: 'cancelled', ...(event.reason !== undefined && { reason: event.reason }) };
        break;
    }
    if (this.#end) this.#question = undefined;
    return [];
  }

  #questionOf(event: Extract<AnyEvent, { readonly type: 'runtime.request.waiting' }>): OpenQuestion {
    const { effectId, questionNumber, message } = event;
    const text = this.#questions.get(effectId) ?? message ?? '';
    return { effectId, text, ...(questionNumber !== undefined && { questionNumber }) };
  }
}

function toolOf(phase: string, { stage, effectId = '', event }: RuntimeAdapterEvent): ToolProgress {
  const { toolId, callId, error } = event;
  const failed = error === undefined || error === null ? {} : { failed: true as const };
  return { phase, ...defined({ toolId, callId, stage }), effectId, ...failed };
}

type DirectTool = Extract<AnyEvent, { readonly type: `runtime.tool.direct.${string}` }>;

function directTool(event: DirectTool): ToolProgress {
  const { type: phase, toolId } = event;
  const effectId = 'effectId' in event ? event.effectId : '';
  return { phase, toolId, effectId, ...(phase === 'runtime.tool.direct.failed' && { failed: true as const }) };
}

function kindOf(type: EventType): SignalKind {
  if (type === 'agent.output.delta') return 'text';
  return type.startsWith('agent.tool.') ? 'tool' : 'other';
}

const sumOf = (sum: AnswerUsage, more: AnswerUsage): AnswerUsage => ({
  inputTokens: sum.inputTokens + more.inputTokens,
  cachedInputTokens: sum.cachedInputTokens + more.cachedInputTokens,
  outputTokens: sum.outputTokens + more.outputTokens,
});

/** An output or a question as text: a text, the `text` of an object, or JSON. */
export function plainText(value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (isObject(value) && typeof value.text === 'string') return value.text;
  return value === null ? '' : JSON.stringify(value);
}

/** An output that a schema describes, as JSON. */
export const jsonText = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value));
