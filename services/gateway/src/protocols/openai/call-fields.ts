import { isObject, isToken, type JsonObject, type JsonValue, type Problem } from '@reins/contracts';
import { invalid, unsupported } from './parameters.ts';

const MAX_METADATA = 16;
const MAX_METADATA_TEXT = 512;
/** The key of the metadata that names a session. */
const SESSION_KEY = 'session_id';

/** Fields that chat completions and responses have in common. */
export interface CommonFields {
  readonly model: string;
  readonly stream: boolean;
  readonly metadata: Readonly<Record<string, string>>;
  /** The session of the call, if it names one. */
  readonly sessionId: string | undefined;
  /** The user of the application, as it names them. */
  readonly user: string | undefined;
}

/** Reads the common fields of a body. */
export function commonFields(body: JsonObject, problems: Problem[]): CommonFields {
  const { model, stream } = body;
  if (typeof model !== 'string' || model === '') problems.push(invalid('model', 'model must be the id of a model'));
  if (stream !== undefined && stream !== null && typeof stream !== 'boolean')
    problems.push(invalid('stream', 'stream must be true or false'));
  const metadata = metadataOf(body.metadata, problems);
  const sessionId = metadata[SESSION_KEY];
  if (sessionId !== undefined && !isToken(sessionId)) {
    const message = 'the session must be 1 to 64 letters, digits, "_" or "-"';
    problems.push(invalid(`metadata.${SESSION_KEY}`, message));
  }
  return {
    model: String(model),
    stream: stream === true,
    metadata,
    sessionId,
    user: typeof body.user === 'string' ? body.user : undefined,
  };
}

function metadataOf(value: JsonValue | undefined, problems: Problem[]): Readonly<Record<string, string>> {
  if (value === undefined || value === null) return {};
  const entries = isObject(value) ? Object.entries(value) : [];
  const isValid = entries.every(([, text]) => typeof text === 'string' && text.length <= MAX_METADATA_TEXT);
  if (!isObject(value) || !isValid || entries.length > MAX_METADATA) {
    const limits = `at most ${MAX_METADATA} texts of at most ${MAX_METADATA_TEXT} characters`;
    problems.push(invalid('metadata', `metadata must be an object of ${limits}`));
    return {};
  }
  return value as Readonly<Record<string, string>>;
}

/** A required form of the answer. */
export interface AnswerFormat {
  /** The JSON Schema of the answer; undefined: text. */
  readonly schema: JsonObject | undefined;
}

/**
 * Reads the format of the answer: `text`, or `json_schema`.
 * @param value the format
 * @param definition the object that has the schema: `json_schema` of a chat completion, the format of a response
 */
export function answerFormat(
  value: JsonValue | undefined,
  definition: (format: JsonObject) => JsonValue | undefined,
  path: string,
  problems: Problem[],
): AnswerFormat {
  if (value === undefined || value === null) return { schema: undefined };
  const type = isObject(value) ? value.type : undefined;
  if (type === 'text') return { schema: undefined };
  if (isObject(value) && type === 'json_schema') {
    const defined = definition(value);
    const schema = isObject(defined) ? defined.schema : undefined;
    if (!isObject(schema)) problems.push(invalid(path, `${path} must have a JSON Schema in schema`));
    return { schema: isObject(schema) ? schema : undefined };
  }
  if (type === 'json_object')
    problems.push(unsupported(path, 'JSON without a schema is not supported', 'Use json_schema with a schema.'));
  else problems.push(invalid(`${path}.type`, `${path}.type must be text or json_schema`));
  return { schema: undefined };
}

/** The effort of the reasoning, as a thinking value. */
export function thinkingValueOf(value: JsonValue | undefined, path: string, problems: Problem[]): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string' && value.length <= 100) return value;
  problems.push(invalid(path, `${path} must be a string`));
  return undefined;
}
