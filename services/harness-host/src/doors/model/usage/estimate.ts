import { defined, isObject, type JsonObject, type JsonValue } from '@reins/contracts';
import { tokensIn } from './tokens.ts';

/** The size of a call, as far as it is known before the answer. */
export interface CallEstimate {
  readonly inputTokens: number;
  /** The limit that the call sets, for one answer. */
  readonly maxOutputTokens?: number;
  /** How many answers the call asks for. Default one. */
  readonly answers?: number;
}

/** About the tokens of an image or a page of a document, at least. */
const MEDIA_TOKENS = 1500;
/** Documents of several pages, and recordings, have more tokens. */
const MEDIA_BYTES_PER_TOKEN = 500;

/** Estimates the input of a call from the texts in its body. @param path of the call, which says what its fields mean */
export function estimateOf(path: string, body: JsonObject): CallEstimate {
  const { limit, answers } = outputOf(path, body);
  return {
    inputTokens: Math.ceil(inputTokens(body)),
    ...defined({ maxOutputTokens: limit, answers: answers > 1 ? answers : undefined }),
  };
}

/** Objects that contain media, and the fields that have them. A text in other places is billed as text. */
const MEDIA_FIELDS: Readonly<Record<string, readonly string[]>> = {
  image_url: ['url'],
  inlineData: ['data'],
  inline_data: ['data'],
  input_audio: ['data'],
  source: ['data'],
  file: ['file_data'],
};
/** The same for parts of Responses, by their type. */
const MEDIA_PARTS: Readonly<Record<string, string>> = { input_image: 'image_url', input_file: 'file_data' };

interface Visited {
  readonly value: JsonValue;
  /** The fields of the value that contain media. */
  readonly media: readonly string[];
}

function inputTokens(body: JsonObject): number {
  let tokens = 0;
  const open: Visited[] = [{ value: body, media: [] }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, media } = next;
    if (typeof value === 'string') tokens += tokensIn(value);
    else if (Array.isArray(value)) for (const each of value) open.push({ value: each, media: [] });
    else if (isObject(value))
      for (const [name, each] of Object.entries(value)) {
        // The names of fields are part of schemas and arguments.
        tokens += tokensIn(name);
        const isMedia = media.includes(name) || MEDIA_PARTS[String(value.type)] === name;
        if (isMedia) tokens += isEncoded(each) ? mediaTokensOf(each) : MEDIA_TOKENS;
        if (isMedia && isEncoded(each)) continue;
        if (each !== undefined) open.push({ value: each as JsonValue, media: MEDIA_FIELDS[name] ?? [] });
      }
  }
  return tokens;
}

/** Whether a value is encoded media, and not a text or an address. */
const isEncoded = (value: JsonValue | undefined): value is string =>
  typeof value === 'string' && /^(?:data:[\w.+-]+\/[\w.+-]+;base64,)?[A-Za-z0-9+/_-]+={0,2}$/.test(value);

const mediaTokensOf = ({ length }: string): number => Math.max(MEDIA_TOKENS, Math.ceil(length / MEDIA_BYTES_PER_TOKEN));

/** What a call says about its output, by the fields that its API reads. Of several limits, the largest counts. */
function outputOf(path: string, body: JsonObject): { limit: number | undefined; answers: number } {
  const largest = (...values: readonly (JsonValue | undefined)[]): number | undefined => {
    const numbers = values.filter((value): value is number => typeof value === 'number' && value > 0);
    return numbers.length === 0 ? undefined : Math.max(...numbers);
  };
  if (path.endsWith('/chat/completions'))
    return {
      limit: largest(body.max_completion_tokens, body.max_tokens),
      answers: largest(body.n, body.best_of) ?? 1,
    };
  if (path.endsWith('/responses')) return { limit: largest(body.max_output_tokens), answers: 1 };
  if (path.endsWith('/messages')) return { limit: largest(body.max_tokens), answers: 1 };
  const settings = [body.generationConfig, body.generation_config].filter(isObject);
  return {
    limit: largest(
      ...settings.flatMap(({ maxOutputTokens, max_output_tokens }) => [maxOutputTokens, max_output_tokens]),
    ),
    answers:
      largest(...settings.flatMap(({ candidateCount, candidate_count }) => [candidateCount, candidate_count])) ?? 1,
  };
}
