import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { VERDICT_SCHEMA } from '@reins/runtime-config';
import { startScriptedModel } from '@reins/scripted-model';
import { DEFAULT_SETTINGS, HostFixture, type StageRequestOptions } from './host-fixture.ts';

/** A runtime that calls models, and what its stages need. */
export interface RuntimeSubject {
  readonly runtimeId: string;
  /** The tool with which it creates a file. */
  readonly writeTool: string;
  /** The provider whose protocol it speaks: `scripted` (openai-completions) or `responses` (openai-responses). */
  readonly provider?: 'scripted' | 'responses';
}

/** Declares the tests of a host that offers these runtimes, with a scripted model behind the model door. */
export async function describeRuntimes(subjects: readonly RuntimeSubject[], harnessesDir: string): Promise<void> {
  const model = await startScriptedModel();
  let fixture: HostFixture;
  beforeAll(async () => {
    fixture = await HostFixture.start();
    const models = { 'scripted-model': { inputPrice: 2, outputPrice: 10 } };
    const api = 'openai-completions' as const;
    const endpoint = { baseUrl: `${model.url}/s/quickstart/v1`, apiKey: 'sk-test-1234', models };
    const providers = {
      scripted: { api, ...endpoint },
      responses: { api: 'openai-responses' as const, ...endpoint },
    };
    const runtimes = subjects.map(({ runtimeId }) => runtimeId);
    const host = { ...DEFAULT_SETTINGS.host, runtimes, harnessesDir };
    await fixture.host({ providers, host });
  });
  afterAll(async () => {
    await fixture.stop();
    await model.close();
  });

  const providerOf = (runtimeId: string): string =>
    subjects.find((subject) => subject.runtimeId === runtimeId)?.provider ?? 'scripted';

  const stageRequest = (
    runtimeId: string,
    stage: 'execute' | 'evaluate',
    scenario: string,
    overrides: Partial<StageRequestOptions> = {},
  ): StageRequestOptions => ({
    runtimeId,
    stage,
    instruction: `Reins stage: ${stage}\nReins iteration: 1\n\nWrite a greeting.`,
    ...overrides,
    request: {
      provider_id: providerOf(runtimeId),
      model_id: 'scripted-model',
      model_client: {
        model_proxy_provider: 'openai_compatible',
        api_key: `{setting:providers.${providerOf(runtimeId)}.apiKey}`,
        base_url: `${model.url}/s/${scenario}/v1`,
        default_headers: null,
      },
      ...(stage === 'evaluate' && { output_format: { type: 'json_schema', schema: VERDICT_SCHEMA, retryCount: 2 } }),
      ...overrides.request,
    },
  });

  describe.each(subjects)('$runtimeId', ({ runtimeId, writeTool }) => {
    const provider = providerOf(runtimeId);

    test('executes a stage with files, tool calls and usage', async () => {
      const { effectId } = await fixture.request(stageRequest(runtimeId, 'execute', 'quickstart'));
      const completed = await fixture.finalEvent(effectId);
      expect(completed).toMatchObject({
        type: 'runtime.stage.completed',
        usage: { provider, model: 'scripted-model', source: 'reported' },
      });
      if (completed.type !== 'runtime.stage.completed') return;
      expect(await fixture.files(completed.tree)).toEqual({ 'hello.txt': 'Hello from the scripted model.\n' });
      const [start] = fixture.eventsOf('agent.tool.start', effectId);
      const [result] = fixture.eventsOf('agent.tool.result', effectId);
      expect([start?.event.toolId, result?.event.callId]).toEqual([writeTool, start?.event.callId]);
      const events = [
        ...(
          [
            'agent.handoff',
            'agent.tool.start',
            'agent.tool.result',
            'agent.output.delta',
            'agent.thinking.delta',
            'agent.model.call',
          ] as const
        ).flatMap((type) => fixture.eventsOf(type, effectId)),
      ];
      const numbers = events.map(({ seq }) => seq).sort((a, b) => a - b);
      expect(numbers).toEqual(numbers.map((_, index) => index + 1));
      const calls = fixture.eventsOf('agent.model.call', effectId).map(({ event }) => event.modelCall);
      expect(calls.length).toBeGreaterThan(1);
      for (const call of calls) expect(call).toMatchObject({ status: 200, usage: 'reported', model: 'scripted-model' });
      // The usage of the stage is the sum of its calls.
      const sum = (field: 'inputTokens' | 'outputTokens' | 'costUsd') =>
        calls.reduce((total, call) => total + (call?.[field] ?? Number.NaN), 0);
      const { inputTokens = 0, outputTokens = 0, costUsd } = completed.usage ?? {};
      expect([inputTokens, outputTokens]).toEqual([sum('inputTokens'), sum('outputTokens')]);
      expect(costUsd).toBeCloseTo((inputTokens * 2 + outputTokens * 10) / 1e6, 9);
    });

    test.each([
      [
        'http://127.0.0.1:9/v1',
        'model_unavailable',
        'at http:\\/\\/127\\.0\\.0\\.1:9\\/v1 cannot be reached \\(\\w+\\)',
      ],
      [`${model.url}/s/e404/v1`, 'model_call_refused', 'at http:\\S+\\/s\\/e404\\/v1 responded with 404: scripted 404'],
    ])(
      'fails with the provider, its address and the setting when the endpoint is %s',
      async (baseUrl, code, message) => {
        const whole = stageRequest(runtimeId, 'execute', 'quickstart');
        const client = {
          model_proxy_provider: 'openai_compatible',
          api_key: null,
          base_url: baseUrl,
          default_headers: null,
        };
        const request = { ...whole.request, model_client: client } as StageRequestOptions['request'];
        const { effectId } = await fixture.request({ ...whole, ...(request && { request }) });
        expect(await fixture.finalEvent(effectId)).toMatchObject({
          type: 'runtime.stage.failed',
          error: {
            code,
            message: expect.stringMatching(
              new RegExp(`^the provider ${provider} ${message} \\(providers\\.${provider}\\.base_url\\)$`),
            ),
          },
        });
      },
    );

    test('fails when a model call does not fit into the budget of the run', async () => {
      const budget = { maxTokens: 5000, usedTokens: 4990, usedCostUsd: 0 };
      const { effectId } = await fixture.request(
        stageRequest(runtimeId, 'execute', 'quickstart', { event: { budget } }),
      );
      expect(await fixture.finalEvent(effectId)).toMatchObject({
        type: 'runtime.stage.failed',
        error: { code: 'budget_exceeded', path: 'budgets.max_tokens' },
        retryable: false,
      });
      expect(fixture.eventsOf('agent.model.call', effectId)).toEqual([]);
    });

    test('evaluates with a verdict', async () => {
      const { effectId } = await fixture.request(stageRequest(runtimeId, 'evaluate', 'quickstart'));
      expect(await fixture.finalEvent(effectId)).toMatchObject({
        type: 'runtime.stage.completed',
        verdict: { outcome: 'fail', score: 0.4 },
      });
    });

    test('reports a rejected API key without the key', async () => {
      const { effectId } = await fixture.request(stageRequest(runtimeId, 'execute', 'e401'));
      expect(await fixture.finalEvent(effectId)).toMatchObject({
        retryable: false,
        error: { code: 'model_unauthorized' },
      });
    });

    test('continues a session on another host', async () => {
      const first = await fixture.request(
        stageRequest(runtimeId, 'execute', 'text', { instruction: 'My name is Ada.' }),
      );
      const { harnessSessionId } = await fixture.firstEvent(first.effectId, 'runtime.stage.completed');
      expect(harnessSessionId).toEqual(expect.stringMatching(/^.+@[0-9a-f]{64}$/));
      const continuation = { instruction: 'What is my name?', event: { harnessSessionId: harnessSessionId as string } };
      const second = await fixture.request(stageRequest(runtimeId, 'execute', 'text', continuation));
      await fixture.firstEvent(second.effectId, 'runtime.stage.completed');
      // Later requests may be health checks.
      const texts = model.requests().map(({ body }) => JSON.stringify(body));
      expect(texts.findLast((text) => text.includes('What is my name?'))).toContain('My name is Ada.');
    });
  });
}
