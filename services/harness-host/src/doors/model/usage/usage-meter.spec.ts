import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { defined, type JsonValue } from '@reins/contracts';
import { usageOf } from './metered-call.ts';
import { UsageMeter } from './usage-meter.ts';
import { type WireForm, wireForm } from './wire-usage.ts';

const SSE = { 'content-type': 'text/event-stream; charset=utf-8' };
const PRICES = { input: 2, output: 10, cachedInput: 0.5, cacheWrite: 4 };
const ESTIMATE = { inputTokens: 700 };

const events = (...all: JsonValue[]): string => all.map((each) => `data: ${JSON.stringify(each)}\n\n`).join('');

/** The usage of an answer that arrives in pieces of one byte, so that pieces split lines and characters. */
async function metered(form: WireForm, headers: Record<string, string>, body: string | Buffer) {
  const meter = new UsageMeter(form, headers);
  for (const byte of Buffer.from(body)) meter.add(Buffer.from([byte]));
  return usageOf(await meter.end(), ESTIMATE, PRICES);
}

const STREAMS: Readonly<Record<WireForm, readonly JsonValue[]>> = {
  chat: [
    { choices: [{ delta: { content: 'Hello, wörld €' } }] },
    { choices: [{ delta: {}, finish_reason: 'stop' }] },
    { choices: [], usage: { prompt_tokens: 100, completion_tokens: 20, prompt_tokens_details: { cached_tokens: 60 } } },
  ],
  responses: [
    { type: 'response.created', response: { usage: null } },
    { type: 'response.output_text.delta', delta: 'Hello, wörld €' },
    {
      type: 'response.completed',
      response: { usage: { input_tokens: 100, output_tokens: 20, input_tokens_details: { cached_tokens: 60 } } },
    },
  ],
  anthropic: [
    {
      type: 'message_start',
      message: {
        usage: { input_tokens: 40, cache_read_input_tokens: 60, cache_creation_input_tokens: 0, output_tokens: 1 },
      },
    },
    { type: 'content_block_delta', delta: { type: 'text_delta', text: 'Hello, wörld €' } },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 20 } },
    { type: 'message_stop' },
  ],
  google: [
    {
      candidates: [{ content: { parts: [{ text: 'Hello, wörld €' }] } }],
      usageMetadata: { promptTokenCount: 100, cachedContentTokenCount: 60, candidatesTokenCount: 3 },
    },
    {
      candidates: [{ content: { parts: [] }, finishReason: 'STOP' }],
      usageMetadata: {
        promptTokenCount: 100,
        cachedContentTokenCount: 60,
        candidatesTokenCount: 15,
        thoughtsTokenCount: 5,
      },
    },
  ],
};

describe.each(Object.entries(STREAMS) as [WireForm, JsonValue[]][])('%s', (form, stream) => {
  test('a complete stream reports its usage, cached tokens included', async () => {
    const reported = await metered(form, SSE, `${events(...stream)}data: [DONE]\n\n`);
    expect(reported).toMatchObject({ usage: 'reported', inputTokens: 100, cachedInputTokens: 60, outputTokens: 20 });
    expect(reported.costUsd).toBeCloseTo((40 * 2 + 60 * 0.5 + 20 * 10) / 1e6);
  });

  test('a stream in gzip reports its usage', async () => {
    const body = gzipSync(events(...stream));
    expect(await metered(form, { ...SSE, 'content-encoding': 'gzip' }, body)).toMatchObject({ outputTokens: 20 });
    const cut = await metered(form, { ...SSE, 'content-encoding': 'gzip' }, body.subarray(0, body.length - 30));
    expect(cut.usage).toMatch(/estimated|reported/);
    expect(await metered(form, { ...SSE, 'content-encoding': 'gzip' }, 'no gzip')).toMatchObject({
      usage: 'estimated',
    });
  });

  test('a cut stream is estimated from what arrived', async () => {
    const cut = await metered(form, SSE, events(...stream.slice(0, form === 'chat' || form === 'google' ? 1 : 2)));
    expect(cut.usage).toBe('estimated');
    expect(cut.outputTokens).toBeGreaterThanOrEqual(3);
    expect(cut.outputTokens).toBeLessThan(20);
    expect([100, 700]).toContain(cut.inputTokens);
    expect(cut.costUsd).toBeGreaterThan(0);
  });

  test('a stream that is cut before its first event costs its input', async () => {
    expect(await metered(form, SSE, '')).toMatchObject({ usage: 'estimated', inputTokens: 700, outputTokens: 0 });
  });
});

test.each<[WireForm, JsonValue]>([
  ['chat', { choices: [{ message: { content: 'Hi' } }], usage: { prompt_tokens: 9, completion_tokens: 4 } }],
  ['responses', { output: [], usage: { input_tokens: 9, output_tokens: 4 } }],
  ['anthropic', { content: [], usage: { input_tokens: 9, output_tokens: 4 } }],
  [
    'google',
    { candidates: [{ finishReason: 'STOP' }], usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 4 } },
  ],
  // Google streams a list without `alt=sse`.
  [
    'google',
    [
      { candidates: [] },
      { candidates: [{ finishReason: 'STOP' }], usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 4 } },
    ],
  ],
])('%s: an answer without a stream reports its usage', async (form, body) => {
  const headers = { 'content-type': 'application/json' };
  expect(await metered(form, headers, JSON.stringify(body))).toMatchObject({
    usage: 'reported',
    inputTokens: 9,
    outputTokens: 4,
  });
});

test('a long stream is estimated to its last event if it is cut, and reports its usage if not', async () => {
  const deltas = Array.from({ length: 9000 }, () => ({
    choices: [{ delta: { content: 'x'.repeat(7) } }],
    usage: null,
  }));
  const body = events(...deltas);
  expect(body.length).toBeGreaterThan(512 * 1024);
  const stream = async (text: string) => {
    const meter = new UsageMeter('chat', SSE);
    for (let at = 0; at < text.length; at += 1000) meter.add(Buffer.from(text.slice(at, at + 1000)));
    return usageOf(await meter.end(), ESTIMATE, PRICES);
  };
  expect(await stream(body)).toMatchObject({ usage: 'estimated', outputTokens: 13_500 });
  const end = events({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } });
  expect(await stream(`${body}${end}`)).toMatchObject({ usage: 'reported', outputTokens: 2 });
});

test('a text that quotes usage is no usage', async () => {
  const quoted = {
    choices: [{ delta: { content: 'data: {"usage": {"prompt_tokens": 1, "completion_tokens": 1}} [DONE]' } }],
  };
  expect(await metered('chat', SSE, events(quoted, quoted))).toMatchObject({ usage: 'estimated', inputTokens: 700 });
});

test('a complete answer without usage is unknown, and so is its cost', async () => {
  const stream = events(
    { choices: [{ delta: { content: 'x' } }] },
    { choices: [{ delta: {}, finish_reason: 'stop' }] },
  );
  expect(await metered('chat', SSE, `${stream}data: [DONE]\n\n`)).toEqual({ usage: 'unknown' });
  expect(await metered('chat', SSE, stream)).toMatchObject({ usage: 'estimated' });
});

test('the cost that a gateway reports has precedence; without prices the cost is unknown', async () => {
  const usage = { prompt_tokens: 100, completion_tokens: 20 };
  const answer = (cost?: number) => JSON.stringify({ choices: [], usage: { ...usage, ...defined({ cost }) } });
  expect(await metered('chat', {}, answer(0.25))).toMatchObject({ costUsd: 0.25 });
  const meter = new UsageMeter('chat', {});
  meter.add(Buffer.from(answer()));
  expect(usageOf(await meter.end(), ESTIMATE, undefined)).not.toHaveProperty('costUsd');
});

test('the form of an answer follows from the API and the path', () => {
  expect(wireForm('anthropic-messages', '/v1/messages')).toBe('anthropic');
  expect(wireForm('anthropic-messages', '/v1/chat/completions')).toBe('chat');
  expect(wireForm('google-generative-ai', '/models/m:streamGenerateContent')).toBe('google');
  expect(wireForm('openai-responses', '/responses')).toBe('responses');
  expect(wireForm('anthropic-messages', '/v1/messages/count_tokens')).toBeUndefined();
  expect(wireForm('google-generative-ai', '/models/m:countTokens')).toBeUndefined();
});
