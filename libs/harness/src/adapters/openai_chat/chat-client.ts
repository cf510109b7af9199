import { setTimeout as sleep } from 'node:timers/promises';
import { isReinsError, isRetryable } from '@reins/contracts';
import type { ModelEndpoint } from '../../contract.ts';
import { AnswerStream } from './answer-stream.ts';
import { headersOf, openAiCompatibleBaseUrl } from './compatible-endpoint.ts';
import { errorOfResponse, ModelError } from './model-error.ts';
import type { ChatAnswer, ChatDelta, ChatRequest } from './protocol.ts';

export interface ChatListener {
  /** Called when bytes arrive, and before a wait for a retry: the endpoint is alive. */
  recordActivity(): void;
  delta(delta: ChatDelta): void;
}

export interface RetrySettings {
  /** How often a failed call is retried. */
  readonly retries: number;
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
}

/** Calls a Chat Completions endpoint, always with streaming. */
export class ChatClient {
  readonly #endpoint: ModelEndpoint;
  readonly #retry: RetrySettings;

  constructor(endpoint: ModelEndpoint, retry: RetrySettings) {
    this.#endpoint = endpoint;
    this.#retry = retry;
  }

  /**
   * Requests one complete answer. Retries transient failures (429, 5xx, no connection) unless part of the answer was
   * already emitted.
   * @throws ModelError; the signal's reason when it was aborted
   */
  async complete(request: ChatRequest, listener: ChatListener, signal: AbortSignal): Promise<ChatAnswer> {
    for (let failures = 0; ; failures += 1) {
      let started = false;
      const watched: ChatListener = {
        recordActivity: listener.recordActivity,
        delta: (delta) => {
          started = true;
          listener.delta(delta);
        },
      };
      try {
        return await this.#once(request, watched, signal);
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof ModelError)) throw error;
        if (started || failures >= this.#retry.retries || !isRetryable(error.code)) throw error;
        listener.recordActivity();
        await sleep(this.#delay(failures, error), undefined, { signal });
      }
    }
  }

  async #once(request: ChatRequest, listener: ChatListener, signal: AbortSignal): Promise<ChatAnswer> {
    const response = await fetch(`${openAiCompatibleBaseUrl(this.#endpoint)}/chat/completions`, {
      method: 'POST',
      headers: headersOf(this.#endpoint),
      body: JSON.stringify({ ...request, stream: true, stream_options: { include_usage: true } }),
      signal,
    }).catch((error) => {
      throw unreachable(error);
    });
    listener.recordActivity();
    if (!response.ok || !response.body) throw await errorOfResponse(response);
    return readAnswer(response.body, listener).catch((error) => {
      throw isReinsError(error) ? error : interrupted(error);
    });
  }

  /** Exponential backoff with jitter against simultaneous retries. Honours `retry-after` up to `maxDelayMs`. */
  #delay(failures: number, { retryAfterMs = 0 }: ModelError): number {
    const backoff = this.#retry.baseDelayMs * 2 ** failures * (0.5 + Math.random() / 2);
    return Math.min(this.#retry.maxDelayMs, Math.max(backoff, retryAfterMs));
  }
}

async function readAnswer(body: ReadableStream<Uint8Array>, listener: ChatListener): Promise<ChatAnswer> {
  const answer = new AnswerStream((delta) => listener.delta(delta));
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    listener.recordActivity();
    answer.push(decoder.decode(chunk, { stream: true }));
  }
  return answer.end();
}

function unreachable(error: unknown): ModelError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
  return new ModelError('model_unavailable', `the model endpoint cannot be reached: ${cause}`, undefined, {
    cause: error,
  });
}

function interrupted(error: unknown): ModelError {
  const message = 'the connection was lost during the answer';
  return new ModelError('model_answer_cut', message, undefined, { cause: error });
}
