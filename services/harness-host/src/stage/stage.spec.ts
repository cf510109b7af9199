import { describe, expect, test } from '@jest/globals';
import { defined, isObject, type RuntimeStageRequested } from '@reins/contracts';
import type { HostRequest } from '@reins/runtime-config';
import fc from 'fast-check';
import { Redactor } from '../secrets/redactor.ts';
import { endpointOf, modelOf } from './endpoint.ts';
import { harnessRunOf } from './harness-run.ts';
import { completedAnswer, executionError, suspendedAnswer, thrownAnswer } from './outcome.ts';
import { formatSession, parseSession } from './session-ref.ts';
import { isForAttempt, StageControls } from './stage-controls.ts';

describe('session references', () => {
  test('are parsed as they were formatted', () => {
    const treeId = fc.stringMatching(/^[0-9a-f]{64}$/);
    const nativeId = fc.string({ minLength: 1 }).filter((text) => !text.includes('\n'));
    fc.assert(
      fc.property(fc.record({ nativeId, treeId }), (session) => {
        expect(parseSession(formatSession(session))).toEqual(session);
      }),
    );
  });

  test.each([null, undefined, '', 'plain-id', `@${'a'.repeat(64)}`, 'id@short'])(
    '%p is not a session reference',
    (text) => {
      expect(parseSession(text)).toBeUndefined();
    },
  );
});

describe('StageControls', () => {
  test('keeps the first reason, except that a lost claim overrides it', () => {
    const controls = new StageControls();
    controls.stopFor('shutdown');
    controls.stopFor('cancel');
    expect(controls.stopped).toBe('shutdown');
    controls.stopFor('lost');
    expect(controls.stopped).toBe('lost');
  });

  test('rejects unsupported control messages', () => {
    expect(new StageControls().receive({ id: 'n', kind: 'nudge' })).toBe(false);
  });

  test.each([
    ['cancel', undefined, true],
    ['cancel', 1, false],
    ['cancel', 2, true],
    ['cancel', 3, true],
    ['nudge', undefined, true],
    ['nudge', 1, false],
    ['nudge', 2, true],
    ['nudge', 3, false],
  ] as const)('a %s for attempt %p applies to attempt 2: %p', (kind, attempt, applies) => {
    const message = { id: 'm', kind, ...defined({ attempt }) };
    expect(isForAttempt(message, 2)).toBe(applies);
  });
});

describe('the answer of a stage', () => {
  const result = (output: unknown) => ({ status: 'ok', output: output as never }) as const;

  test('completes an evaluation only with a valid verdict', () => {
    const verdict = { outcome: 'pass', reasons: ['all there'] };
    expect(completedAnswer('evaluate', result(verdict), { tree: 't' }, {})).toMatchObject({ verdict, output: verdict });
    for (const output of ['pass', { outcome: 'maybe', reasons: [] }, { outcome: 'pass' }, null]) {
      expect(completedAnswer('evaluate', result(output), { tree: 't' }, {})).toMatchObject({
        type: 'runtime.stage.failed',
        error: { code: 'harness_output_invalid', hint: expect.stringContaining('"outcome"') },
      });
    }
    expect(completedAnswer('execute', result('pass'), { tree: 't' }, {})).toMatchObject({
      type: 'runtime.stage.completed',
    });
  });

  test('has the usage before a question', () => {
    const usage = { inputTokens: 3, outputTokens: 4 };
    expect(suspendedAnswer({ status: 'waiting', question: 'which?', usage }, { tree: 't' }, 1)).toEqual({
      type: 'runtime.stage.waiting',
      question: 'which?',
      suspended: { tree: 't', signals: 1 },
      usage,
    });
  });

  test('an error that shows the beginning of an answer has one line, and no part of a secret', () => {
    const redactor = new Redactor(['correct horse\nbattery staple']);
    const error = (message: string) => ({ code: 'harness_output_invalid', message }) as const;
    expect(
      executionError('evaluate', error('begins with: It\npasses with correct horse\nbattery …'), redactor),
    ).toEqual({
      ...error('begins with: It passes with …'),
      hint: expect.stringContaining('"outcome"'),
    });
    expect(executionError('execute', error('it is not one JSON value'), redactor)).not.toHaveProperty('hint');
  });

  test('makes an internal error retryable', () => {
    expect(thrownAnswer(new Error('a bug'))).toMatchObject({ retryable: true, error: { code: 'internal_error' } });
  });
});

const REQUEST = {
  instruction: 'Do it.',
  context_messages: ['Once upon a time.'],
  attachments: [
    { id: 'a', kind: 'image', name: 'p.png', mime_type: 'image/png', size_bytes: 7, workspace_path: 'in/p.png' },
  ],
  system_prompt: 'Be good.',
  thinking_value: 'high',
  provider_id: 'mine',
  model_id: 'm',
  tools: { read: true, write: true, bash: true, grep: true },
  gated_tools: ['bash', 'grep'],
  granted_tools: ['grep'],
  output_format: { type: 'json_schema', schema: { type: 'object' }, retryCount: 3 },
  model_client: {
    model_proxy_provider: 'anthropic_native',
    api_key: 'k',
    base_url: 'http://x',
    default_headers: { a: 'b' },
  },
} as unknown as HostRequest;

test('the facts about a model come from its provider in the settings', () => {
  const request = { ...REQUEST, provider_id: 'mine', model_id: 'gpt-4o' } as HostRequest;
  const provider = { api: 'openai-completions', baseUrl: 'https://api.openai.com/v1' } as const;
  expect(modelOf(request, { mine: provider })).toMatchObject({ reasoning: false, prices: { output: 10 } });
  const models = { 'gpt-4o': { images: false } };
  expect(modelOf(request, { mine: { ...provider, models } })).toMatchObject({ images: false });
  expect(modelOf({ ...request, model_id: null }, { mine: provider })).toEqual({});
});

describe('harnessRunOf', () => {
  test('converts prompts, tools, output schema and limits', () => {
    const parts: Parameters<typeof harnessRunOf>[0] = {
      event: { effectId: 'e', attempt: 2, stage: 'execute' } as RuntimeStageRequested,
      request: REQUEST,
      runToken: 'token',
      folder: {
        root: '/r',
        workDir: '/r/work',
        homeDir: '/r/home',
        sessionDir: '/r/session',
        exists: true,
        remove: async () => undefined,
      },
      model: {},
      endpoint: { api: 'openai-completions', baseUrl: 'http://x', apiKey: '' },
      environment: { settings: {}, path: '', providers: {} },
      images: true,
      nativeSessionId: undefined,
      mcpServers: [],
      callDecisions: undefined,
      missingTools: [],
      runForMs: 90_000,
    };
    const run = harnessRunOf(parts);
    expect(run).toMatchObject({
      instruction: 'Do it.',
      systemPrompt: 'Be good.',
      tools: ['read', 'write', 'grep'],
      outputSchema: { type: 'object' },
      outputRetries: 3,
      attachments: [{ path: 'in/p.png', mediaType: 'image/png' }],
      deadlines: { totalMs: 90_000, startupMs: 60_000, idleMs: 90_000, noProgressMs: 90_000 },
    });
    expect(run.prompt).toContain('Once upon a time.');
    expect(run).not.toHaveProperty('harnessSessionId');
    expect(run).not.toHaveProperty('allowOutsideWorkDir');
    const settings = { idleMs: 1_000, noProgressMs: 2_000, toolMs: 100_000 };
    expect(harnessRunOf({ ...parts, environment: { ...parts.environment, settings } }).deadlines).toEqual({
      totalMs: 90_000,
      startupMs: 60_000,
      idleMs: 1_000,
      noProgressMs: 2_000,
      toolMs: 90_000,
    });
    const unrestricted = { ...parts, request: { ...REQUEST, workspace_boundary_override: true } };
    expect(harnessRunOf(unrestricted)).toMatchObject({ allowOutsideWorkDir: true });
  });

  test('takes the model API from the settings or the transport', () => {
    const configured = { mine: { api: 'google-generative-ai', baseUrl: 'http://y' } } as const;
    expect(endpointOf(REQUEST, configured, true)).toEqual({
      api: 'google-generative-ai',
      baseUrl: 'http://x',
      apiKey: 'k',
      headers: { a: 'b' },
    });
    const base_url = 'https://generativelanguage.googleapis.com/v1beta/openai';
    const google = { ...REQUEST, model_client: { ...REQUEST.model_client, base_url } } as HostRequest;
    expect(endpointOf(google, configured, true).baseUrl).toBe('https://generativelanguage.googleapis.com/v1beta');
    expect(endpointOf(REQUEST, {}, true).api).toBe('anthropic-messages');
    // A proxy has the provider id of a vendor. Clients of Anthropic add the version.
    const proxied = {
      ...REQUEST.model_client,
      base_url: 'http://proxy/anthropic/v1',
      default_headers: { 'X-Holaboss-User-Id': 'u' },
    };
    expect(endpointOf({ ...REQUEST, model_client: proxied } as HostRequest, configured, true)).toMatchObject({
      api: 'anthropic-messages',
      baseUrl: 'http://proxy/anthropic',
    });
    const noModel = { ...REQUEST, model_client: null };
    expect(() => endpointOf(noModel, {}, true)).toThrow(/no model/);
    expect(isObject(endpointOf(noModel, {}, false))).toBe(true);
  });
});
