import { asList, asObject, asText, type JsonObject } from '../json.ts';
import { MODEL_NAME, type ModelRequest, type OfferedTool, type Turn } from '../model.ts';
import { argumentObject, contentTexts, tokensIn, tokensOut, words } from './parts.ts';
import type { Address, Protocol, StreamEvent, WriteContext, WrittenAnswer } from './protocol.ts';

const SIGNATURE = 'c2NyaXB0ZWQ=';

const STATUS_NAMES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
};

function readContent(value: unknown): readonly Turn[] {
  const content = asObject(value);
  const results = asList(content.parts).filter((part) => asObject(part).functionResponse !== undefined);
  if (results.length > 0) return results.map(() => ({ kind: 'result', texts: [] }));
  return [{ kind: content.role === 'model' ? 'assistant' : 'user', texts: contentTexts(content.parts) }];
}

function readTool(value: unknown): readonly OfferedTool[] {
  const declared = asObject(value);
  const name = asText(declared.name);
  const schema = asObject(declared.parametersJsonSchema ?? declared.parameters);
  return name === undefined ? [] : [{ name, schema, freeform: false }];
}

function read(body: JsonObject, address: Address): ModelRequest {
  const system = asObject(body.systemInstruction ?? body.system_instruction);
  return {
    model: address.model ?? '',
    stream: address.stream === true,
    turns: [{ kind: 'system', texts: contentTexts(system.parts) }, ...asList(body.contents).flatMap(readContent)],
    tools: asList(body.tools)
      .flatMap((tool) => asList(asObject(tool).functionDeclarations))
      .flatMap(readTool),
  };
}

function write({ answer, body, nextId }: WriteContext): WrittenAnswer {
  const [input, output] = [tokensIn(body.contents), tokensOut(answer)];
  const usageMetadata = {
    promptTokenCount: input,
    candidatesTokenCount: output,
    totalTokenCount: input + output,
  };
  const responseId = nextId('gem');
  const candidate = (parts: readonly JsonObject[], last: boolean): JsonObject => ({
    candidates: [{ content: { role: 'model', parts }, index: 0, ...(last ? { finishReason: 'STOP' } : {}) }],
    modelVersion: MODEL_NAME,
    responseId,
    usageMetadata,
  });
  const thoughts = answer.thinking === undefined ? [] : [{ text: answer.thinking, thought: true }];
  const texts = answer.text === undefined ? [] : [{ text: answer.text }];
  const calls = answer.calls.map((call) => ({
    functionCall: { id: call.id, name: call.name, args: argumentObject(call) },
    thoughtSignature: SIGNATURE,
  }));
  const events: StreamEvent[] = [
    ...thoughts.map((thought) => ({ data: candidate([thought], false) })),
    ...words(answer.text).map((word) => ({ data: candidate([{ text: word }], false) })),
    { data: candidate(calls.length > 0 ? calls : [{ text: '' }], true) },
  ];
  return { events, body: candidate([...thoughts, ...texts, ...calls], true) };
}

/** Gemini: `POST …/models/<model>:generateContent | :streamGenerateContent | :countTokens`. */
export const gemini: Protocol = {
  read,
  write,
  error: (status, message) => ({ error: { code: status, message, status: STATUS_NAMES[status] ?? 'INTERNAL' } }),
  models: (names) => ({
    models: names.map((name) => ({ name: `models/${name}`, supportedGenerationMethods: ['generateContent'] })),
  }),
  tokenCount: (body) => ({ totalTokens: tokensIn(body) }),
};
