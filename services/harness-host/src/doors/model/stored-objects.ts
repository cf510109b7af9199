import { isObject, type JsonObject, type JsonValue } from '@reins/contracts';

/** Fields of a call that continue or read an object that the provider has stored. */
const CALL_FIELDS = [
  ...['previous_response_id', 'conversation', 'cachedContent', 'cached_content', 'container', 'prompt'],
  // Contains another call, with a model of its own.
  ...['generateContentRequest', 'generate_content_request'],
];
/** Parts that name an object by their id. */
const STORED_PARTS = ['item_reference', 'image_generation_call', 'code_interpreter_call', 'mcp_approval_response'];
/** Fields of a part of a message that read a stored file. */
const PART_FIELDS = ['file_id', 'fileUri', 'file_uri'];
/** The fields that hold the messages of a call: Chat Completions and Anthropic, Responses, Google. */
const MESSAGES = ['messages', 'input', 'contents', 'system', 'instructions', 'systemInstruction', 'system_instruction'];
/** Arguments and results of tool calls have fields of any name. */
const TOOL_DATA = new Set(['arguments', 'functionCall', 'functionResponse', 'function_call', 'function_response']);

/**
 * Returns the field of a model call that names an object which the provider has stored: a file, an earlier response, a
 * cache. Objects are shared by all users of a key, so they may belong to another run. Undefined: the call has none.
 */
export function storedObject(body: JsonObject): string | undefined {
  const field = CALL_FIELDS.find((name) => body[name] !== undefined && body[name] !== null);
  if (field !== undefined) return field;
  // Such a call goes on after the run, and its answer is stored.
  if (body.background === true) return 'background';
  const open: JsonValue[] = MESSAGES.flatMap((name) => body[name] ?? []);
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (Array.isArray(value)) for (const item of value) open.push(item);
    else if (isObject(value)) {
      const found = inPart(value);
      if (found !== undefined) return found;
      open.push(...partsOf(value));
    }
  }
  return undefined;
}

type Part = Readonly<Record<string, JsonValue | undefined>>;

function inPart(part: Part): string | undefined {
  if (typeof part.type === 'string' && STORED_PARTS.includes(part.type)) return part.type;
  // An id alone is a reference, too.
  if ((part.type ?? part.role ?? undefined) === undefined && typeof part.id === 'string') return 'id';
  return PART_FIELDS.find((name) => typeof part[name] === 'string');
}

function partsOf(part: Part): JsonValue[] {
  const isToolUse = part.type === 'tool_use';
  return Object.entries(part).flatMap(([name, value]) =>
    TOOL_DATA.has(name) || (isToolUse && name === 'input') || typeof value !== 'object' || value === null
      ? mediaOfResult(name, value)
      : [value],
  );
}

/** Google's results of functions have media next to their data. */
function mediaOfResult(name: string, value: JsonValue | undefined): JsonValue[] {
  const isResult = name === 'functionResponse' || name === 'function_response';
  return isResult && isObject(value) && value.parts !== undefined ? [value.parts as JsonValue] : [];
}
