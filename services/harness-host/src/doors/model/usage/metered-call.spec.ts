import { expect, test } from '@jest/globals';
import type { JsonObject } from '@reins/contracts';
import { estimateOf } from './estimate.ts';
import { type EndedCall, sumOf } from './metered-call.ts';

const NAMED = { provider: 'p', model: 'm' };
const call = (fields: Partial<EndedCall['call']>) => ({
  call: { usage: 'reported' as const, durationMs: 1, status: 200, ...fields },
});
const reported = call({ inputTokens: 100, cachedInputTokens: 60, outputTokens: 20, costUsd: 0.5 });

test('sums up the calls of a run', () => {
  expect(sumOf([reported, reported], NAMED)).toEqual({
    ...NAMED,
    inputTokens: 200,
    cachedInputTokens: 120,
    outputTokens: 40,
    costUsd: 1,
    source: 'reported',
  });
});

test('the sum is estimated if one call is, and has no cost if the cost of one call is unknown', () => {
  const estimated = call({ usage: 'estimated', inputTokens: 1, outputTokens: 1, costUsd: 0.1 });
  expect(sumOf([reported, estimated], NAMED)).toMatchObject({ source: 'estimated', costUsd: 0.6 });
  const unknown = call({ usage: 'unknown' });
  expect(sumOf([reported, unknown], NAMED)).toMatchObject({ source: 'estimated', inputTokens: 100 });
  expect(sumOf([reported, unknown], NAMED)).not.toHaveProperty('costUsd');
});

test('calls that failed use nothing; without any other call, nothing is known', () => {
  const failed = [call({ usage: 'unknown', status: 429 }), { call: { usage: 'unknown' as const, durationMs: 1 } }];
  expect(sumOf([reported, ...failed], NAMED)).toMatchObject({ inputTokens: 100, costUsd: 0.5, source: 'reported' });
  expect(sumOf(failed, NAMED)).toBeUndefined();
});

const CHAT = '/v1/chat/completions';
const GOOGLE = '/v1beta/models/m:generateContent';

test('estimates the input of a call by its texts; media count by their size', () => {
  const text = 'x '.repeat(3500);
  expect(estimateOf(CHAT, { messages: [{ content: text }] }).inputTokens).toBeGreaterThanOrEqual(2000);
  const encoded = 'A'.repeat(1_000_000);
  const url = { image_url: { url: `data:image/png;base64,${encoded}` } };
  for (const part of [
    url,
    { inlineData: { data: encoded } },
    { source: { type: 'base64', data: encoded } },
    { type: 'input_image', image_url: url.image_url.url },
    { type: 'input_file', file_data: encoded },
  ])
    expect(estimateOf(CHAT, { messages: [part] }).inputTokens).toBeLessThan(2100);
  expect(estimateOf(CHAT, { messages: [{ inlineData: { data: 'A'.repeat(10) } }] }).inputTokens).toBeGreaterThan(1500);
});

test('estimates texts by their script, also in arguments of tools and names of fields', () => {
  const text = '服务把每个决定都写入日志'.repeat(100);
  for (const body of [{ messages: [{ content: text }] }, { input: [{ arguments: text }] }, { tools: [{ [text]: 1 }] }])
    expect(estimateOf(CHAT, body).inputTokens).toBeGreaterThanOrEqual(text.length);
});

test('a text is no media, whatever it looks like', () => {
  const tokens = 1_000_000 / 3.5;
  for (const text of [`data:${'A'.repeat(1_000_000)}`, 'A'.repeat(1_000_000)])
    expect(estimateOf(CHAT, { messages: [{ content: text }] }).inputTokens).toBeGreaterThan(tokens);
  const inField = { image_url: { url: `data:image/png;base64,${'a word '.repeat(200_000)}` } };
  expect(estimateOf(CHAT, { messages: [inField] }).inputTokens).toBeGreaterThan(tokens);
});

test('reads the output limit of each API, for each of its answers', () => {
  const limitOf = (path: string, body: JsonObject) => {
    const { maxOutputTokens, answers } = estimateOf(path, body);
    return [maxOutputTokens, answers];
  };
  expect(limitOf(CHAT, { max_tokens: 5 })).toEqual([5, undefined]);
  expect(limitOf(CHAT, { max_completion_tokens: 1, max_tokens: 100, n: 10 })).toEqual([100, 10]);
  expect(limitOf('/responses', { max_output_tokens: 5, max_tokens: 1 })).toEqual([5, undefined]);
  expect(limitOf('/v1/messages', { max_tokens: 5 })).toEqual([5, undefined]);
  expect(limitOf(GOOGLE, { generationConfig: { maxOutputTokens: 5, candidateCount: 3 } })).toEqual([5, 3]);
  expect(limitOf(GOOGLE, { generation_config: { max_output_tokens: 5, candidate_count: 2 } })).toEqual([5, 2]);
  // A field of another API limits nothing.
  expect(limitOf(CHAT, { max_output_tokens: 1, n: 10 })).toEqual([undefined, 10]);
  expect(limitOf(CHAT, { max_tokens: 0 })).toEqual([undefined, undefined]);
});
