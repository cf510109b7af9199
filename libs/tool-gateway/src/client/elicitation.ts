import { isObject, type JsonObject, type JsonValue } from '@reins/contracts';

/** A question of a server to the user, during a call. */
export interface Elicitation {
  readonly message: string;
  /** The JSON Schema of the answer: an object with simple fields. */
  readonly schema: JsonObject;
}

/** The answer of the client to a server. */
export type ElicitationAnswer =
  | { readonly action: 'accept'; readonly content: Record<string, string | number | boolean | string[]> }
  | { readonly action: 'cancel' | 'decline' };

/** What a user answers to refuse. */
const REFUSAL = 'decline';

const MAX_MESSAGE = 4000;
const MAX_FIELDS = 50;
const MAX_DESCRIPTION = 500;
const NUMBERS = new Set<JsonValue | undefined>(['number', 'integer']);

/** The answer of a user in the form that the server asked for; undefined when it does not have this form. */
export function answerOf({ schema }: Elicitation, answer: JsonValue): ElicitationAnswer | undefined {
  if (typeof answer === 'string' && answer.trim().toLowerCase() === REFUSAL) return { action: 'decline' };
  const fields = isObject(schema.properties) ? schema.properties : {};
  const names = Object.keys(fields);
  const given = typeof answer === 'string' ? (parsed(answer) ?? singleField(fields, names, answer)) : answer;
  if (!isObject(given) || Object.keys(given).some((name) => !names.includes(name))) return undefined;
  return { action: 'accept', content: given as Extract<ElicitationAnswer, { action: 'accept' }>['content'] };
}

/** The question for the user, with the fields of the answer if there are several. It is limited in length. */
export function questionTextOf({ message, schema }: Elicitation): string {
  const fields = Object.entries(isObject(schema.properties) ? schema.properties : {}).slice(0, MAX_FIELDS);
  return [limited(message, fields), `Answer "${REFUSAL}" to refuse.`].join('\n');
}

function limited(text: string, fields: readonly (readonly [string, JsonValue | undefined])[]): string {
  const message = text.slice(0, MAX_MESSAGE);
  if (fields.length < 2) return message;
  const lines = fields.map(
    ([name, field]) =>
      `- ${name}${isObject(field) && field.description ? `: ${String(field.description).slice(0, MAX_DESCRIPTION)}` : ''}`,
  );
  return [message, 'Answer with a JSON object with these fields:', ...lines].join('\n');
}

function parsed(answer: string): JsonObject | undefined {
  try {
    const value = JSON.parse(answer) as JsonValue;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function singleField(fields: JsonObject, [name, ...others]: readonly string[], answer: string): JsonObject | undefined {
  if (name === undefined || others.length > 0) return undefined;
  const field = fields[name];
  const type = isObject(field) ? field.type : undefined;
  const text = answer.trim();
  if (NUMBERS.has(type)) return text !== '' && Number.isFinite(Number(text)) ? { [name]: Number(text) } : undefined;
  if (type === 'boolean')
    return /^(true|yes|false|no)$/i.test(text) ? { [name]: /^(true|yes)$/i.test(text) } : undefined;
  return { [name]: answer };
}
