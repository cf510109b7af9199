import { execFileSync } from 'node:child_process';
import { afterAll, describe, expect, test } from '@jest/globals';
import { startScriptedModel } from '@reins/scripted-model';
import { tempDir } from '@reins/testing';
import { type ConformanceSubject, drive } from '../conformance/index.ts';
import { openaiChatAdapter, piAdapter } from '../index.ts';

const model = await startScriptedModel();
afterAll(() => model.close());

const subjects = [openaiChatAdapter, piAdapter].map(
  (adapter): ConformanceSubject => ({
    adapter,
    endpoint: (scenario) => ({ api: 'openai-completions', baseUrl: `${model.url}/s/${scenario}/v1`, apiKey: 'k' }),
    instruction: (_scenario, text) => text,
    folder: () => tempDir('sessions'),
  }),
);

describe.each(subjects)('$adapter.runtimeId', (subject) => {
  test('continues a session with its messages in another folder', async () => {
    const first = await drive(subject, 'text', 'My name is Ada.');
    const { result } = await first.result();
    const harnessSessionId = result.status === 'ok' ? result.harnessSessionId : undefined;
    expect(harnessSessionId).toEqual(expect.any(String));

    const { sessionDir } = first.run;
    const second = await drive(subject, 'text', 'What is my name?', {
      sessionDir,
      harnessSessionId: harnessSessionId as string,
    });
    expect((await second.result()).result).toMatchObject({ status: 'ok', harnessSessionId });
    const messages = JSON.stringify(model.requests().at(-1)?.body);
    expect(messages).toContain('My name is Ada.');
    expect(messages).toContain('What is my name?');
  });

  test('sends the thinking value, the system prompt and the tools to the model', async () => {
    const { result } = await drive(subject, 'text', 'Hello.', { thinkingValue: 'high', tools: ['read', 'unknown'] });
    expect((await result()).result.status).toBe('ok');
    const body = model.requests().at(-1)?.body as { tools: { function: { name: string } }[]; messages: unknown };
    expect(body).toMatchObject({ reasoning_effort: 'high' });
    expect(body.tools.map((tool) => tool.function.name)).toEqual(['read']);
    expect(JSON.stringify(body.messages)).toContain('You are tested.');
  });
});

describe('pi', () => {
  const pi = subjects[1] as ConformanceSubject;
  const running = (argument: string): string =>
    execFileSync('ps', ['-eo', 'args'])
      .toString()
      .split('\n')
      .filter((line) => line.includes(argument) && line.startsWith('sleep'))
      .join();

  test('cancel also stops a running shell command', async () => {
    const driven = await drive({ ...pi, endpoint: shell }, 'text', "CMD='sleep 301.75'");
    await driven.waitForEvent('agent.tool.start');
    driven.execution.cancel('enough');
    const { result, leftover } = await driven.result();
    expect({ status: result.status, leftover, running: running('301.75') }).toEqual({
      status: 'cancelled',
      leftover: 0,
      running: '',
    });
    // The outcome of the call is unknown, so its output must be null.
    const toolResult = driven.events.find((signal) => signal.phase === 'agent.tool.result');
    expect(toolResult?.output ?? null).toBeNull();
  });

  test('kills the background processes of a command', async () => {
    const driven = await drive(
      { ...pi, endpoint: shell },
      'text',
      "CMD='setsid sleep 302.75 >/dev/null 2>&1 & echo started'",
    );
    const { result, leftover } = await driven.result();
    expect({ status: result.status, leftover, running: running('302.75') }).toEqual({
      status: 'ok',
      leftover: 0,
      running: '',
    });
  });

  function shell() {
    return { api: 'openai-completions', baseUrl: `${model.url}/s/shell/v1`, apiKey: 'k' } as const;
  }
});
