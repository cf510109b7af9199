import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { AdapterEvent, JsonObject } from '@reins/contracts';
import { objectOf } from '../../execution/json.ts';
import { AdapterEventWriter } from '../../signals/signal-writer.ts';
import { UsageSum } from '../../signals/usage.ts';
import { HermesTranscript } from './transcript.ts';

function transcript() {
  const signals: AdapterEvent[] = [];
  const usage = new UsageSum('scripted', 'scripted-model');
  const writer = new AdapterEventWriter('hermes', (signal) => signals.push(signal));
  const nameOf = (name: string) => name.replace(/^mcp__reins__/, '');
  return { signals, usage, read: new HermesTranscript(writer, usage, nameOf) };
}

const joined = (signals: readonly AdapterEvent[], phase: string): string =>
  signals.flatMap((signal) => (signal.phase === phase ? [signal.text] : [])).join('');

test('reads the texts of a recorded session', () => {
  const { signals, read } = transcript();
  const text = readFileSync(new URL('../../../testdata/hermes-acp-write.jsonl', import.meta.url), 'utf8');
  for (const line of text.split('\n').filter(Boolean)) {
    const { method, params } = JSON.parse(line) as { method?: string; params?: JsonObject };
    if (method === 'session/update') read.updated(objectOf(params?.update));
  }
  expect(joined(signals, 'agent.thinking.delta')).toBe('I should write the file.');
  expect(joined(signals, 'agent.output.delta')).toMatch(/^Writing the file\.\n\nDone: wrote .*a\.txt\.$/);
});

test('the last answer without calls is the message, and its usage counts', () => {
  const { usage, read } = transcript();
  const tokens = { prompt_tokens: 40, cache_read_tokens: 10, output_tokens: 5 };
  read.relayed('answer', { text: 'Calling.', calls: 1, reason: 'tool_calls', usage: tokens });
  expect(read.message).toBeUndefined();
  read.relayed('answer', { text: 'Done.', calls: 0, reason: 'stop', usage: tokens });
  expect([read.message, read.failure]).toEqual(['Done.', undefined]);
  expect(usage.usage.usage).toMatchObject({ inputTokens: 80, cachedInputTokens: 20, outputTokens: 10 });
});

test.each([
  ['a file tool', { result: '{"bytes_written": 5}', status: 'ok' }, ['{"bytes_written": 5}', null]],
  ['a command', { result: '{"output": "hi", "exit_code": 0, "error": null}', status: 'ok' }, ['hi', null]],
  [
    'a command that fails',
    { result: '{"output": "no", "exit_code": 3, "error": null}', status: 'ok' },
    [null, 'no\n(exit code 3)'],
  ],
  ['a tool of a server', { result: '{"result": "echo: hello"}', status: 'ok' }, ['echo: hello', null]],
  ['a failure of a server', { result: '{"error": "no such text"}', status: 'error' }, [null, 'no such text']],
])('the result of %s', (_, params, outcome) => {
  const { signals, read } = transcript();
  read.called({ id: '1', tool: 'mcp__reins__echo', args: { text: 'x' } }, undefined);
  read.relayed('result', { id: '1', error: null, ...params });
  expect(signals[0]).toMatchObject({ phase: 'agent.tool.start', toolId: 'echo', args: { text: 'x' } });
  expect([signals[1]?.output, signals[1]?.error]).toEqual(outcome);
});

test('a refused call fails with the reason', () => {
  const { signals, read } = transcript();
  read.called({ id: '1', tool: 'terminal', args: {} }, 'not here');
  read.relayed('result', { id: '1', result: '{"error": "blocked"}', status: 'error', error: null });
  expect(signals.map(({ phase, error }) => [phase, error])).toEqual([
    ['agent.tool.start', undefined],
    ['agent.tool.result', 'not here'],
  ]);
});

test.each([
  [{ status: 401, message: 'no key' }, 'model_unauthorized'],
  [{ status: 429, message: 'busy' }, 'model_rate_limited'],
  [{ status: null, message: 'peer closed connection' }, 'model_answer_cut'],
  [{ status: null, message: 'Expecting value: line 1' }, 'model_answer_invalid'],
  [{ status: null, message: 'Request timed out.' }, 'model_unavailable'],
])('a failed call of the model %j is %s until one succeeds', (params, code) => {
  const { read } = transcript();
  read.relayed('failure', params);
  expect(read.failure?.code).toBe(code);
  read.relayed('answer', { text: 'Done.', calls: 0, reason: 'stop', usage: {} });
  expect(read.failure).toBeUndefined();
});

test('an answer that ends for another reason is not complete', () => {
  const { read } = transcript();
  read.relayed('answer', { text: 'Do', calls: 0, reason: 'length', usage: {} });
  expect(read.failure?.code).toBe('model_answer_cut');
});
