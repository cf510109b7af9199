import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { AdapterEvent, JsonObject } from '@reins/contracts';
import { AdapterEventWriter } from '../../signals/signal-writer.ts';
import { UsageSum } from '../../signals/usage.ts';
import { messageProblem } from './message-problem.ts';
import { PiTranscript } from './transcript.ts';

function read(name: string) {
  const signals: AdapterEvent[] = [];
  const usage = new UsageSum('fake', 'fake-model');
  const transcript = new PiTranscript(new AdapterEventWriter('pi', (signal) => signals.push(signal)), usage);
  const text = readFileSync(new URL(`../../../testdata/${name}.jsonl`, import.meta.url), 'utf8');
  for (const line of text.split('\n').filter(Boolean)) transcript.event(JSON.parse(line) as JsonObject);
  return { signals, usage: usage.usage.usage, last: transcript.last };
}

describe('PiTranscript', () => {
  test('reads a run that wrote a file', () => {
    const { signals, usage, last } = read('pi-rpc-write');
    expect(last).toEqual({ stopReason: 'stop', text: 'Done: wrote a.txt.', errorMessage: '' });
    expect(messageProblem(last)).toBeUndefined();
    expect(usage).toEqual({
      provider: 'fake',
      model: 'fake-model',
      inputTokens: 1455,
      cachedInputTokens: 0,
      outputTokens: 26,
    });
    expect(signals.filter((signal) => signal.phase?.startsWith('agent.tool'))).toEqual([
      {
        adapter: 'pi',
        phase: 'agent.tool.start',
        toolId: 'write',
        callId: 'call_fake000058',
        args: { path: 'a.txt', content: 'hello-from-fake-model\n' },
      },
      {
        adapter: 'pi',
        phase: 'agent.tool.result',
        toolId: 'write',
        callId: 'call_fake000058',
        output: 'Successfully wrote to a.txt',
        error: null,
      },
    ]);
    const texts = (phase: string) =>
      signals
        .filter((signal) => signal.phase === phase)
        .map((signal) => signal.text)
        .join('');
    expect(texts('agent.thinking.delta')).toBe('I should write the file.');
    expect(texts('agent.output.delta')).toBe('Writing the file.Done: wrote a.txt.');
  });

  test('has no cost if the price of one call is unknown', () => {
    const usage = new UsageSum('p', 'm');
    usage.add({ inputTokens: 1, outputTokens: 1, costUsd: 0.5 });
    expect(usage.usage.usage).toMatchObject({ costUsd: 0.5 });
    usage.add({ inputTokens: 1, outputTokens: 1 });
    expect(usage.usage.usage).not.toHaveProperty('costUsd');
  });

  test.each([
    ['pi-e500', 'model_unavailable'],
    ['pi-cut', 'model_answer_cut'],
    ['pi-garbage', 'model_answer_cut'],
    ['pi-rpc-hang', 'model_answer_invalid'],
  ])('reads %s as a failure', (name, code) => {
    expect(messageProblem(read(name).last)?.code).toBe(code);
  });

  test('emits an unknown outcome for a tool that does not report whether it failed', () => {
    const signals: AdapterEvent[] = [];
    const writer = new AdapterEventWriter('pi', (signal) => signals.push(signal));
    const transcript = new PiTranscript(writer, new UsageSum('p', 'm'));
    transcript.event({ type: 'tool_execution_start', toolCallId: 'a', toolName: 'bash', args: {} });
    transcript.event({ type: 'tool_execution_start', toolCallId: 'b', toolName: 'bash', args: {} });
    transcript.event({
      type: 'tool_execution_end',
      toolCallId: 'a',
      result: { content: [{ type: 'text', text: 'x' }] },
    });
    writer.close();
    const results = signals.filter((signal) => signal.phase === 'agent.tool.result');
    expect(results.map(({ callId, output, error }) => [callId, output, error])).toEqual([
      ['a', null, null],
      ['b', null, null],
    ]);
  });
});
