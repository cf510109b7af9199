import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startScriptedModel } from '@reins/scripted-model';
import { ChatClient } from './chat-client.ts';

const model = await startScriptedModel({
  scenarios: {
    later: [{ status: 429, retryAfter: 1, failFirst: 1, text: 'After a while.' }],
    inAnHour: [{ status: 429, retryAfter: 3600, failFirst: 1, text: 'At last.' }],
    halfway: [{ text: Array.from({ length: 60 }, () => 'word').join(' '), cut: true }],
  },
});
afterAll(() => model.close());
beforeEach(() => fetch(`${model.url}/__reset`, { method: 'POST' }));

const RETRY = { retries: 2, baseDelayMs: 20, maxDelayMs: 5000 };
const LISTENER = { recordActivity: () => undefined, delta: () => undefined };

const ask = (scenario: string, retry = RETRY, signal = new AbortController().signal) => {
  const endpoint = { api: 'openai-completions', baseUrl: `${model.url}/s/${scenario}/v1`, apiKey: 'k' } as const;
  const request = { model: 'm', messages: [{ role: 'user', content: `Hello from ${scenario}.` }] } as const;
  return new ChatClient(endpoint, retry).complete(request, LISTENER, signal);
};

describe('ChatClient', () => {
  test('retries transient failures', async () => {
    expect((await ask('flaky')).text).toBe('Recovered after two errors.');
    expect(model.requests()).toHaveLength(3);
  });

  test('retries only as often as configured', async () => {
    await expect(ask('flaky', { ...RETRY, retries: 1 })).rejects.toMatchObject({ code: 'model_unavailable' });
    expect(model.requests()).toHaveLength(2);
  });

  test('does not retry permanent failures', async () => {
    await expect(ask('e400')).rejects.toMatchObject({ code: 'model_call_refused' });
    await expect(ask('e401')).rejects.toMatchObject({ code: 'model_unauthorized' });
    expect(model.requests()).toHaveLength(2);
  });

  test('waits as long as the endpoint requests, up to the configured maximum', async () => {
    const started = performance.now();
    expect((await ask('later')).text).toBe('After a while.');
    expect(performance.now() - started).toBeGreaterThan(950);
    expect((await ask('inAnHour', { ...RETRY, maxDelayMs: 50 })).text).toBe('At last.');
  });

  test('does not retry after part of the answer was emitted', async () => {
    await expect(ask('halfway')).rejects.toMatchObject({ code: 'model_answer_cut' });
    expect(model.requests()).toHaveLength(1);
  });

  test('stops waiting for a retry when it is aborted', async () => {
    const abort = new AbortController();
    const asked = ask('e500', { ...RETRY, baseDelayMs: 60_000, maxDelayMs: 60_000 }, abort.signal);
    abort.abort();
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('reports an endpoint that does not respond as unavailable', async () => {
    const endpoint = { api: 'openai-completions', baseUrl: 'http://127.0.0.1:9/v1', apiKey: '' } as const;
    const call = new ChatClient(endpoint, { ...RETRY, retries: 0 }).complete(
      { model: 'm', messages: [] },
      LISTENER,
      AbortSignal.timeout(60_000),
    );
    await expect(call).rejects.toMatchObject({ code: 'model_unavailable' });
  });
});
