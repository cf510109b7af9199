import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { AdapterEvent } from '@reins/contracts';
import { parseObject } from '../../execution/json.ts';
import { AdapterEventWriter } from '../../signals/signal-writer.ts';
import { UsageSum } from '../../signals/usage.ts';
import { ClaudeTranscript, type TurnEnd } from './transcript.ts';

function transcript() {
  const signals: AdapterEvent[] = [];
  const usage = new UsageSum('scripted', 'scripted-model');
  const writer = new AdapterEventWriter('claude_code', (signal) => signals.push(signal));
  return { signals, usage, read: new ClaudeTranscript(writer, usage, (name) => name) };
}

/** Reads what a real Claude Code has written. */
function recorded(name: string) {
  const { signals, usage, read } = transcript();
  const text = readFileSync(new URL(`../../../testdata/claude-${name}.jsonl`, import.meta.url), 'utf8');
  const ends = text.split('\n').map((line): TurnEnd | undefined => read.message(parseObject(line) ?? {}));
  return { signals, usage, end: ends.findLast((end) => end !== undefined) };
}

test('reads a recorded run that wrote a file', () => {
  const { signals, usage, end } = recorded('write');
  expect(end).toEqual({ text: expect.stringContaining('Done: wrote') });
  expect(usage.usage.usage).toMatchObject({ inputTokens: 5179, cachedInputTokens: 0, outputTokens: 42 });
  expect(signals).toMatchObject([
    { phase: 'agent.tool.start', toolId: 'Write', args: { content: expect.any(String) } },
    { phase: 'agent.tool.result', toolId: 'Write', output: expect.stringContaining('created'), error: null },
  ]);
});

test.each([
  ['e401', 'model_unauthorized', '401'],
  ['e500', 'model_unavailable', '500'],
])('a recorded model call with the answer %s is a failure, although it reports success', (name, code, text) => {
  const { end } = recorded(name);
  expect(end).toEqual({ problem: { code, message: expect.stringContaining(text) } });
});

test('the result of a call that failed is an error', () => {
  const { signals, read } = transcript();
  read.message({
    type: 'assistant',
    message: { content: [{ type: 'tool_use', id: '1', name: 'Bash', input: { command: 'false' } }] },
  });
  const content = [{ type: 'text', text: 'Exit code 1' }, { type: 'image' }];
  read.message({
    type: 'user',
    message: { content: [{ type: 'tool_result', tool_use_id: '1', is_error: true, content }] },
  });
  expect(signals[1]).toMatchObject({ toolId: 'Bash', output: null, error: 'Exit code 1\n(image)' });
});

test('deltas are signals of thinking and text', () => {
  const { signals, read } = transcript();
  const delta = (value: object) => read.message({ type: 'stream_event', event: { delta: { ...value } } });
  delta({ type: 'thinking_delta', thinking: 'Why?' });
  delta({ type: 'text_delta', text: 'So.' });
  delta({ type: 'signature_delta', signature: 'x' });
  expect(signals.map(({ phase, text }) => [phase, text])).toEqual([
    ['agent.thinking.delta', 'Why?'],
    ['agent.output.delta', 'So.'],
  ]);
});

test.each([
  ['API Error: The connection was closed.', 'model_answer_cut'],
  ['API Error: Unexpected token < in JSON', 'model_answer_invalid'],
  ['API Error: Request timed out.', 'model_unavailable'],
])('%s is %s', (result, code) => {
  const { read } = transcript();
  const end = read.message({ type: 'result', subtype: 'success', is_error: true, result });
  expect(end).toMatchObject({ problem: { code } });
});
