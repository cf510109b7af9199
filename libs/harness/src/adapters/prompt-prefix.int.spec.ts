import { afterAll, describe, expect, test } from '@jest/globals';
import { startScriptedModel } from '@reins/scripted-model';
import { tempDir } from '@reins/testing';
import { type ConformanceSubject, drive, installedCodex, type RunChanges } from '../conformance/index.ts';
import type { ModelEndpoint } from '../contract.ts';
import { codexAdapter, openaiChatAdapter, piAdapter } from '../index.ts';

const model = await startScriptedModel({ scenarios: { 'openrouter.ai': [{ text: 'Hello.' }] } });
afterAll(() => model.close());

const PATHS = {
  'openai-completions': '/v1',
  'openai-responses': '/v1',
  'anthropic-messages': '',
  'google-generative-ai': '/v1beta',
} as const;
const ADAPTERS = { pi: piAdapter, openai_chat: openaiChatAdapter, codex: codexAdapter };
type Body = Readonly<Record<string, unknown>>;

const subjectOf = (runtime: keyof typeof ADAPTERS, api: ModelEndpoint['api']): ConformanceSubject => ({
  adapter: ADAPTERS[runtime],
  // The path names the host of the provider, as the model door does.
  endpoint: () => ({ api, baseUrl: `${model.url}/s/text${PATHS[api]}`, apiKey: 'k' }),
  instruction: (_scenario, text) => text,
  folder: () => tempDir('prefix'),
});

/** The bodies of the calls of one run, as text, and its session. */
async function callsOf(subject: ConformanceSubject, text: string, changes: RunChanges = {}) {
  const before = model.requests().length;
  const driven = await drive(subject, 'text', text, changes);
  const { result } = await driven.result();
  const bodies = model.requests().slice(before);
  if (result.status !== 'ok') throw new Error(JSON.stringify(result));
  return {
    bodies: bodies.map(({ body }) => body as Body),
    session: { sessionDir: driven.run.sessionDir, harnessSessionId: result.harnessSessionId as string },
  };
}

const conversationOf = (body: Body): readonly unknown[] =>
  (body.messages ?? body.input ?? body.contents) as readonly unknown[];

/** Everything but the conversation: model, tools, system prompt. */
const settingsOf = ({ messages: _, input: __, contents: ___, ...settings }: Body): Body => settings;

/** Breakpoints move to the newest message, and are not part of the cached prefix. */
const withoutBreakpoints = (value: unknown): string =>
  JSON.stringify(value, (name, each) => (name === 'cache_control' ? undefined : each));

describe.each([
  ['pi', 'openai-completions'],
  ['pi', 'openai-responses'],
  ['pi', 'anthropic-messages'],
  ['pi', 'google-generative-ai'],
  ['openai_chat', 'openai-completions'],
  ['openai_chat', 'anthropic-messages'],
] as const)('%s, %s', (runtime, api) => {
  const subject = subjectOf(runtime, api);

  test('two runs of a workspace send the same bytes', async () => {
    const [first, second] = [await callsOf(subject, 'Hello.'), await callsOf(subject, 'Hello.')];
    expect(first.bodies).toHaveLength(1);
    expect(JSON.stringify(second.bodies)).toBe(JSON.stringify(first.bodies));
  });

  test('a continued session repeats the bytes of its first turn', async () => {
    const { bodies, session } = await callsOf(subject, 'My name is Ada.');
    const [first] = bodies as [Body];
    const next = await callsOf(subject, 'What is my name?', session);
    const [second] = next.bodies as [Body];
    expect(withoutBreakpoints(settingsOf(second))).toBe(withoutBreakpoints(settingsOf(first)));
    const repeated = conversationOf(second).slice(0, conversationOf(first).length);
    expect(withoutBreakpoints(repeated)).toBe(withoutBreakpoints(conversationOf(first)));
    expect(conversationOf(second).length).toBeGreaterThan(conversationOf(first).length);
  });
});

test('two runs of Codex send the same tools and texts', async () => {
  const subject = { ...subjectOf('codex', 'openai-responses'), harnessesDir: await installedCodex() };
  const sent = async () => {
    const { bodies } = await callsOf(subject, 'Hello.');
    return bodies.map((body) => [
      body.tools,
      conversationOf(body).map((item) => {
        const { role, content } = item as Body;
        return { role, content };
      }),
    ]);
  };
  expect(await sent()).toEqual(await sent());
});

test('pi marks the system prompt, the tools and the newest message of a call to Anthropic as cacheable', async () => {
  const { bodies } = await callsOf(subjectOf('pi', 'anthropic-messages'), 'Hello.');
  const [{ system = [], tools = [], messages = [] }] = bodies as unknown as [Record<string, { content?: unknown[] }[]>];
  const marked = { cache_control: { type: 'ephemeral' } };
  for (const last of [system.at(-1), tools.at(-1), messages.at(-1)?.content?.at(-1)])
    expect(last).toMatchObject(marked);
});

test.each(['pi', 'openai_chat'] as const)('%s marks calls to models of Anthropic over OpenRouter', async (runtime) => {
  const subject = subjectOf(runtime, 'openai-completions');
  // The path of the model door has the host of the provider. The scenario has its name here.
  const endpoint = () =>
    ({ api: 'openai-completions', baseUrl: `${model.url}/s/openrouter.ai/v1`, apiKey: 'k' }) as const;
  const { bodies } = await callsOf({ ...subject, endpoint }, 'Hello.', { modelId: 'anthropic/claude-haiku-4-5' });
  const [{ messages = [] }] = bodies as unknown as [Record<string, { role: string; content: unknown[] }[]>];
  for (const role of ['system', 'user'])
    expect(messages.find((message) => message.role === role)?.content.at(-1)).toMatchObject({
      cache_control: { type: 'ephemeral' },
    });
  const { bodies: others } = await callsOf({ ...subject, endpoint }, 'Hello.', { modelId: 'openai/gpt-5.4' });
  expect(JSON.stringify(others)).not.toContain('cache_control');
});
