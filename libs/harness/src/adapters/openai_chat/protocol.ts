import type { JsonObject } from '@reins/contracts';

/** The subset of Chat Completions messages that the adapter reads and writes. */
export type ChatMessage =
  | { readonly role: 'system' | 'user'; readonly content: ChatContent }
  | { readonly role: 'assistant'; readonly content: string | null; readonly tool_calls?: readonly ChatToolCall[] }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string };

export type ChatContent = string | readonly ChatPart[];

export type ChatPart = (
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } }
) & { readonly cache_control?: { readonly type: 'ephemeral' } };

/** The model writes the arguments as JSON text, so they may be malformed. */
export interface ChatToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

export interface ChatTool {
  readonly type: 'function';
  readonly function: { readonly name: string; readonly description: string; readonly parameters: JsonObject };
}

export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ChatTool[];
  readonly reasoning_effort?: string;
  /** Anthropic's form of thinking. */
  readonly thinking?:
    | { readonly type: 'disabled' | 'adaptive' }
    | { readonly type: 'enabled'; readonly budget_tokens: number };
  readonly output_config?: { readonly effort: string };
  readonly max_completion_tokens?: number;
  readonly response_format?: {
    readonly type: 'json_schema';
    readonly json_schema: { readonly name: string; readonly schema: JsonObject; readonly strict: boolean };
  };
}

/** One complete answer of the model. */
export interface ChatAnswer {
  readonly text: string;
  readonly calls: readonly ChatToolCall[];
  readonly finishReason: string;
  readonly usage?: ChatUsage;
}

export interface ChatUsage {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  readonly costUsd?: number;
}

/** A piece of a streamed answer. */
export type ChatDelta = { readonly kind: 'text' | 'thinking'; readonly text: string };
