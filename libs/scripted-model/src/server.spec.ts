import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type ScriptedModel, startScriptedModel } from './server.ts';

interface ChatMessage {
  readonly content: string | null;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { name: string; arguments: string } }[];
}

const WRITE_TOOL = {
  type: 'function',
  function: { name: 'write', parameters: { type: 'object', properties: { path: {}, content: {} } } },
};
const BASH_TOOL = { type: 'function', function: { name: 'bash', parameters: { properties: { command: {} } } } };
const VERDICT_TOOL = { type: 'function', function: { name: 'submit_verdict', parameters: {} } };

let model: ScriptedModel;

beforeAll(async () => {
  model = await startScriptedModel();
});
beforeEach(async () => {
  await fetch(`${model.url}/__reset`, { method: 'POST' });
});
afterAll(async () => {
  await model.close();
});

function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${model.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function chat(scenario: string, messages: readonly unknown[], tools?: readonly unknown[]): Promise<ChatMessage> {
  const response = await post(`/s/${scenario}/v1/chat/completions`, { model: 'm', messages, tools });
  expect(response.status).toBe(200);
  const body = (await response.json()) as { model: string; choices: { message: ChatMessage; finish_reason: string }[] };
  expect(body.model).toBe('scripted-model');
  return body.choices[0]?.message as ChatMessage;
}

const prompt = (stage: string, iteration: number): string =>
  `You work on a stage.\nReins stage: ${stage}\nReins iteration: ${iteration}\nGo on.`;

/** The messages of a harness after it ran the calls of an answer. */
function resultsOf(answer: ChatMessage): unknown[] {
  const results = (answer.tool_calls ?? []).map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'ok' }));
  return [{ role: 'assistant', ...answer }, ...results];
}

describe('the quickstart', () => {
  it('answers the interview with a brief and the reflection with lessons', async () => {
    expect((await chat('quickstart', [{ role: 'system', content: prompt('interview', 1) }])).content).toMatch(/^Brief/);
    expect((await chat('quickstart', [{ role: 'user', content: prompt('reflect', 1) }])).content).toMatch(/^Lessons/);
  });

  it.each([
    [1, 'Hello from the scripted model.\n', /with its greeting\.$/],
    [2, 'Hello from the scripted model.\nEvery step of this run is recorded.\n', /closing line\.$/],
  ])(
    'writes the file of iteration %i through the write tool, then ends with a text',
    async (iteration, content, end) => {
      const conversation = [
        { role: 'system', content: prompt('execute', iteration) },
        { role: 'user', content: 'Do it.' },
      ];
      const first = await chat('quickstart', conversation, [WRITE_TOOL, BASH_TOOL]);
      expect(first.tool_calls?.map((call) => [call.function.name, JSON.parse(call.function.arguments)])).toEqual([
        ['write', { path: 'hello.txt', content }],
      ]);
      const last = await chat('quickstart', [...conversation, ...resultsOf(first)], [WRITE_TOOL, BASH_TOOL]);
      expect(last.tool_calls).toBeUndefined();
      expect(last.content).toMatch(end);
    },
  );

  it.each([
    [1, { outcome: 'fail', score: 0.4 }],
    [2, { outcome: 'pass', score: 1 }],
    [3, { outcome: 'pass', score: 1 }],
  ])('returns the verdict of iteration %i as JSON text and through submit_verdict', async (iteration, verdict) => {
    const conversation = [{ role: 'user', content: prompt('evaluate', iteration) }];
    const answer = await chat('quickstart', conversation);
    expect(JSON.parse(answer.content ?? '')).toMatchObject({ ...verdict, reasons: [expect.any(String)] });
    const submitted = await chat('quickstart', conversation, [BASH_TOOL, VERDICT_TOOL]);
    expect(submitted.tool_calls?.[0]?.function.name).toBe('submit_verdict');
    expect(submitted.tool_calls?.[0]?.function.arguments).toBe(answer.content);
    expect((await chat('quickstart', [...conversation, ...resultsOf(submitted)], [VERDICT_TOOL])).content).toBe(
      answer.content,
    );
  });

  it('prefers the system prompt to older user messages and ignores answers and tool results', async () => {
    const older = [
      { role: 'user', content: prompt('interview', 1) },
      { role: 'assistant', content: prompt('reflect', 1) },
      { role: 'tool', tool_call_id: 'x', content: prompt('reflect', 1) },
    ];
    const asSystem = await chat('quickstart', [{ role: 'developer', content: prompt('evaluate', 2) }, ...older]);
    expect(JSON.parse(asSystem.content ?? '')).toMatchObject({ outcome: 'pass' });
    const asUser = await chat('quickstart', [...older, { role: 'user', content: prompt('evaluate', 1) }]);
    expect(JSON.parse(asUser.content ?? '')).toMatchObject({ outcome: 'fail' });
  });

  it('identifies itself when no case of its script matches', async () => {
    const answer = await chat('quickstart', [{ role: 'user', content: 'What is the weather?' }]);
    expect(answer.content).toMatch(/scripted model/);
  });
});
