import type { AcceptedRequest } from '../../../requests/request-records.ts';
import type { AnswerPart, AnswerUsage, OpenQuestion } from '../../answer/answer.ts';
import { serverSent } from '../server-sent.ts';

/** What all chunks of a completion have in common. */
export interface CompletionHead {
  readonly id: string;
  readonly created: number;
  readonly model: string;
}

export const completionHead = ({ requestId, acceptedAt }: AcceptedRequest, model: string): CompletionHead => ({
  id: `chatcmpl-${requestId}`,
  created: Math.floor(Date.parse(acceptedAt) / 1000),
  model,
});

/** The request behind a completion, for the native API. OpenAI clients keep this field and ignore it. */
export interface ReinsFields {
  readonly request_id: string;
  readonly session_id: string;
  readonly status: 'completed' | 'waiting';
  /** The question that the answer is for, if the request waits for one. */
  readonly effect_id?: string;
  readonly question_number?: number;
}

export function reinsFields(
  { requestId, sessionId }: AcceptedRequest,
  question: OpenQuestion | undefined,
): ReinsFields {
  const about = { request_id: requestId, session_id: sessionId };
  if (!question) return { ...about, status: 'completed' };
  const { effectId, questionNumber } = question;
  const number = questionNumber === undefined ? {} : { question_number: questionNumber };
  return { ...about, status: 'waiting', effect_id: effectId, ...number };
}

/** The usage of a completion: the tokens of all stages. */
export const usageOf = ({ inputTokens, cachedInputTokens, outputTokens }: AnswerUsage): object => ({
  prompt_tokens: inputTokens,
  completion_tokens: outputTokens,
  total_tokens: inputTokens + outputTokens,
  prompt_tokens_details: { cached_tokens: cachedInputTokens },
});

interface Completed {
  readonly text: string;
  readonly usage: AnswerUsage;
  readonly reins: ReinsFields;
  readonly metadata: Readonly<Record<string, string>>;
}

/** A whole completion. */
export const completion = (head: CompletionHead, { text, usage, reins, metadata }: Completed): object => ({
  ...head,
  object: 'chat.completion',
  choices: [
    { index: 0, message: { role: 'assistant', content: text, refusal: null }, logprobs: null, finish_reason: 'stop' },
  ],
  usage: usageOf(usage),
  metadata,
  reins,
});

/** Formats the chunks of a completion as server-sent events. */
export class Chunks {
  readonly #head: CompletionHead;
  readonly #usage: object;

  /** @param includeUsage with it, every chunk has a `usage`, which is null until the last one */
  constructor(head: CompletionHead, includeUsage: boolean) {
    this.#head = head;
    this.#usage = includeUsage ? { usage: null } : {};
  }

  /** The first chunk, without text. */
  role(): Buffer {
    return this.#chunk({ role: 'assistant', content: '' });
  }

  text(text: string): Buffer {
    return this.#chunk({ content: text });
  }

  /**
   * Progress as a named event. OpenAI's clients hand every event on as a chunk, whatever its name. So its data is a chunk
   * without text, and the progress is a field that they ignore.
   */
  progress(part: Exclude<AnswerPart, { readonly kind: 'text' }>): Buffer {
    const { kind, ...data } = part;
    const fields = kind === 'tool' ? part.progress : data;
    return this.#chunk({}, { name: PROGRESS[kind], more: { stable_harness: fields } });
  }

  /** The last chunk of the answer. */
  stop(reins: ReinsFields): Buffer {
    return this.#chunk({}, { finish: 'stop', more: { reins } });
  }

  usage(usage: AnswerUsage): Buffer {
    const chunk = { ...this.#head, object: CHUNK, choices: [], usage: usageOf(usage) };
    return serverSent(chunk);
  }

  #chunk(
    delta: object,
    { name, finish = null, more = {} }: { name?: string; finish?: 'stop' | null; more?: object } = {},
  ): Buffer {
    const choices = [{ index: 0, delta, logprobs: null, finish_reason: finish }];
    return serverSent({ ...this.#head, object: CHUNK, choices, ...this.#usage, ...more }, name);
  }
}

/** The names of the events, as stable-harness has them. */
const PROGRESS = {
  tool: 'stable_harness.tool.progress',
  narration: 'stable_harness.progress.narration',
} as const;

const CHUNK = 'chat.completion.chunk';

/** The end of a stream. */
export const DONE = Buffer.from('data: [DONE]\n\n');
