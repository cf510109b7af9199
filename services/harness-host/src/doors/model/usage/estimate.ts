import { defined, isObject, type JsonObject, type JsonValue } from '@reins/contracts';

/** The size of a call, as far as it is known before the answer. */
export interface CallEstimate {
  readonly inputTokens: number;
  /** The limit that the call sets. */
  readonly maxOutputTokens?: number;
}

/** English text has about four characters for each token, code about three. */
const CHARACTERS_PER_TOKEN = 3.5;
/** About the tokens of an image or a page of a document. */
const MEDIA_TOKENS = 1500;
/** A longer text without a space is encoded media. */
const MEDIA_LENGTH = 4096;

/** Estimates the input of a call from the texts in its body. Media count as a constant. */
export function estimateOf(body: JsonObject): CallEstimate {
  const { characters, media } = contentOf(body);
  const limit = outputLimit(body);
  return {
    inputTokens: tokensOf(characters) + media * MEDIA_TOKENS,
    ...defined({ maxOutputTokens: limit }),
  };
}

/** The tokens of a text with so many characters, about. */
export const tokensOf = (characters: number): number => Math.ceil(characters / CHARACTERS_PER_TOKEN);

function contentOf(body: JsonObject): { characters: number; media: number } {
  const total = { characters: 0, media: 0 };
  const open: JsonValue[] = [body];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === 'string') {
      if (isMedia(value)) total.media += 1;
      else total.characters += value.length;
    } else if (Array.isArray(value)) for (const each of value) open.push(each);
    else if (isObject(value))
      for (const [name, each] of Object.entries(value)) {
        // The names of fields are part of schemas and arguments.
        total.characters += name.length;
        if (each !== undefined) open.push(each as JsonValue);
      }
  }
  return total;
}

const isMedia = (text: string): boolean =>
  text.startsWith('data:') || (text.length > MEDIA_LENGTH && /^[A-Za-z0-9+/_-]+={0,2}$/.test(text));

/** The limits of the vendors: Chat Completions, Responses and Anthropic, Google. */
function outputLimit(body: JsonObject): number | undefined {
  const google = isObject(body.generationConfig) ? body.generationConfig.maxOutputTokens : undefined;
  const limits = [body.max_completion_tokens, body.max_tokens, body.max_output_tokens, google];
  return limits.find((limit): limit is number => typeof limit === 'number' && limit > 0);
}
