import { asList, asObject, asText, type JsonObject } from '../json.ts';
import type { ModelRequest, OfferedTool, Turn } from '../model.ts';
import { openaiError, openaiModels } from './openai-common.ts';
import { writeResponse } from './openai-responses.writer.ts';
import { contentTexts, tokensIn } from './parts.ts';
import type { Protocol } from './protocol.ts';

const MESSAGE_KINDS: Readonly<Record<string, Turn['kind']>> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
};

function readItem(value: unknown): Turn {
  const item = asObject(value);
  const type = asText(item.type) ?? 'message';
  if (type.endsWith('_output')) return { kind: 'result', texts: [] };
  if (type !== 'message') return { kind: 'other', texts: [] };
  return { kind: MESSAGE_KINDS[String(item.role)] ?? 'other', texts: contentTexts(item.content) };
}

/** Reads tools, including those in nested namespaces. The size limit of the body bounds the recursion. */
function readTools(value: unknown, namespace?: string): readonly OfferedTool[] {
  return asList(value).flatMap((entry): readonly OfferedTool[] => {
    const tool = asObject(entry);
    const name = asText(tool.name);
    if (tool.type === 'namespace') return readTools(tool.tools, name);
    if (name === undefined || (tool.type !== 'function' && tool.type !== 'custom')) return [];
    const namespaceField = namespace === undefined ? {} : { namespace };
    return [{ name, ...namespaceField, schema: asObject(tool.parameters), freeform: tool.type === 'custom' }];
  });
}

function read(body: JsonObject): ModelRequest {
  const instructions = asText(body.instructions);
  const system: readonly Turn[] = instructions === undefined ? [] : [{ kind: 'system', texts: [instructions] }];
  const input = typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : asList(body.input);
  return {
    model: asText(body.model) ?? '',
    stream: body.stream === true,
    turns: [...system, ...input.map(readItem)],
    tools: readTools(body.tools),
  };
}

/** OpenAI Responses: `POST …/responses`. */
export const openaiResponses: Protocol = {
  read,
  write: writeResponse,
  error: openaiError,
  models: openaiModels,
  tokenCount: (body) => ({ input_tokens: tokensIn(body) }),
};
