import { afterAll, describe, expect, test } from '@jest/globals';
import { startScriptedModel } from '@reins/scripted-model';
import { tempDir } from '@reins/testing';
import { type ConformanceSubject, drive, type RunChanges } from '../../conformance/index.ts';
import { openaiChatAdapter } from './adapter.ts';

const model = await startScriptedModel({
  scenarios: {
    endless: [{ tool: { name: 'read', args: { path: 'missing.txt' } } }],
    escape: [{ tool: { name: 'write', args: { path: '../out.txt', content: 'x' } } }, { text: 'I could not.' }],
    formless: [{ status: 400, failFirst: 1, text: '{"ok":true}' }],
    both: [
      {
        tool: [
          { name: 'write', args: { path: 'a.txt', content: 'A' } },
          { name: 'write', args: { path: 'b.txt', content: 'B' } },
        ],
      },
      { tool: { name: 'list', args: {} } },
      { text: 'Two files.' },
    ],
  },
});
afterAll(() => model.close());

const start = async (scenario: string, settings: ConformanceSubject['settings'] = {}, changes: RunChanges = {}) => {
  const subject: ConformanceSubject = {
    adapter: openaiChatAdapter,
    settings,
    endpoint: () => ({ api: 'openai-completions', baseUrl: `${model.url}/s/${scenario}/v1`, apiKey: 'k' }),
    instruction: (_scenario, text) => text,
    folder: () => tempDir('loop'),
  };
  const driven = await drive(subject, 'text', 'Go on.', changes);
  const { result } = await driven.result();
  const results = driven.events.filter((signal) => signal.phase === 'agent.tool.result');
  return { result, results };
};

describe('ChatLoop', () => {
  test('fails after the maximum number of steps and reports its usage', async () => {
    const { result, results } = await start('endless', { maxSteps: 3 });
    expect(result).toMatchObject({
      status: 'failed',
      retryable: false,
      error: { code: 'harness_step_limit' },
      usage: { inputTokens: expect.any(Number) },
    });
    expect(results.map(({ output, error }) => [output, typeof error])).toEqual(Array(3).fill([null, 'string']));
  });

  test('returns a tool error to the model and continues', async () => {
    const { result, results } = await start('escape');
    expect(results.map(({ error }) => error)).toEqual([expect.stringContaining('is outside the working directory')]);
    expect(result).toMatchObject({ status: 'ok', output: 'I could not.' });
    expect(JSON.stringify(model.requests().at(-1)?.body)).toContain('is outside the working directory');
  });

  test('runs all calls of one answer in order', async () => {
    const { result, results } = await start('both');
    expect(results.map(({ toolId, output }) => [toolId, output])).toEqual([
      ['write', 'wrote 1 bytes to a.txt'],
      ['write', 'wrote 1 bytes to b.txt'],
      ['list', 'a.txt\nb.txt'],
    ]);
    expect(result).toMatchObject({ status: 'ok', output: 'Two files.' });
  });

  test('sends the output schema to the endpoint, and omits it when the endpoint rejects it', async () => {
    const outputSchema = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] };
    const before = model.requests().length;
    const { result } = await start('formless', {}, { outputSchema });
    expect(result).toMatchObject({ status: 'ok', output: { ok: true } });
    const [asked, again] = model.requests().slice(before);
    expect(asked?.body).toMatchObject({ response_format: { json_schema: { schema: outputSchema, strict: false } } });
    expect(again?.body).not.toHaveProperty('response_format');
  });
});
