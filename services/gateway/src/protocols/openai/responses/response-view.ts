import type { JsonValue } from '@reins/contracts';
import { type AnswerEnd, type AnswerUsage, jsonText, type OpenQuestion, plainText } from '../../answer/answer.ts';
import { type ResponseRecord, responseId } from './response-records.ts';

/** What is known of the answer of a response. */
export type ResponseState =
  | { readonly status: 'queued' | 'in_progress' }
  | { readonly status: 'question'; readonly question: OpenQuestion }
  | AnswerEnd;

/** The text of an answer; undefined if there is none. */
export function textOf(state: ResponseState, { schema }: Pick<ResponseRecord, 'schema'>): string | undefined {
  if (state.status === 'question') return state.question.text;
  if (state.status !== 'completed') return undefined;
  const output: JsonValue = state.output;
  return schema === null ? plainText(output) : jsonText(output);
}

/** The only message of a response. */
export const messageId = (record: ResponseRecord): string => `msg_${responseId(record).slice('resp_'.length)}`;

export const textPart = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] }) as const;

export function messageItem(record: ResponseRecord, text: string | undefined): object {
  const content = text === undefined ? [] : [textPart(text)];
  const status = text === undefined ? 'in_progress' : 'completed';
  return { id: messageId(record), type: 'message', status, role: 'assistant', content };
}

/** A response in the form of OpenAI. */
export function responseView(record: ResponseRecord, state: ResponseState, usage: AnswerUsage): object {
  const text = textOf(state, record);
  return {
    id: responseId(record),
    object: 'response',
    created_at: Math.floor(Date.parse(record.createdAt) / 1000),
    status: state.status === 'question' ? 'completed' : state.status,
    background: record.background,
    error: errorOf(state),
    incomplete_details: null,
    instructions: record.instructions,
    max_output_tokens: null,
    metadata: record.metadata,
    model: record.model,
    output: text === undefined ? [] : [messageItem(record, text)],
    parallel_tool_calls: false,
    previous_response_id: record.previousResponseId,
    conversation: record.conversation === null ? null : { id: record.conversation },
    reasoning: { effort: record.effort, summary: null },
    store: record.store,
    temperature: null,
    text: { format: formatOf(record) },
    tool_choice: 'auto',
    tools: [],
    top_p: null,
    truncation: 'disabled',
    usage: text === undefined ? null : usageOf(usage),
    user: record.user,
    reins: { request_id: record.requestId, ...questionFields(state) },
  };
}

function errorOf(state: ResponseState): object | null {
  if (state.status === 'failed')
    return { code: 'server_error', message: `${state.error.message} (${state.error.code})` };
  if (state.status !== 'cancelled') return null;
  return { code: 'request_cancelled', message: state.reason ?? 'the request was cancelled' };
}

function questionFields(state: ResponseState): object {
  if (state.status !== 'question') return {};
  const { effectId, questionNumber } = state.question;
  return {
    status: 'waiting',
    effect_id: effectId,
    ...(questionNumber !== undefined && { question_number: questionNumber }),
  };
}

const formatOf = ({ schema }: ResponseRecord): object =>
  schema === null ? { type: 'text' } : { type: 'json_schema', name: 'output', schema, strict: true };

const usageOf = ({ inputTokens, cachedInputTokens, outputTokens }: AnswerUsage): object => ({
  input_tokens: inputTokens,
  input_tokens_details: { cached_tokens: cachedInputTokens },
  output_tokens: outputTokens,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: inputTokens + outputTokens,
});
