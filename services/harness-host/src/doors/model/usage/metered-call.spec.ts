import { expect, test } from '@jest/globals';
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

test('estimates the input of a call by its texts; media count as a constant', () => {
  const text = 'x '.repeat(3500);
  expect(estimateOf({ messages: [{ content: text }] }).inputTokens).toBeGreaterThanOrEqual(2000);
  const image = { url: `data:image/png;base64,${'A'.repeat(1_000_000)}` };
  const inline = { inlineData: { data: 'A'.repeat(1_000_000) } };
  expect(estimateOf({ messages: [image, inline] }).inputTokens).toBeLessThan(3100);
});

test('reads the output limit of each API', () => {
  for (const body of [
    { max_tokens: 5 },
    { max_completion_tokens: 5 },
    { max_output_tokens: 5 },
    { generationConfig: { maxOutputTokens: 5 } },
  ])
    expect(estimateOf(body).maxOutputTokens).toBe(5);
  expect(estimateOf({ max_tokens: 0 })).not.toHaveProperty('maxOutputTokens');
});
