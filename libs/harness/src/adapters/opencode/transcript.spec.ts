import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { AdapterEvent, JsonObject } from '@reins/contracts';
import { AdapterEventWriter } from '../../signals/signal-writer.ts';
import { UsageSum } from '../../signals/usage.ts';
import { RelayClient } from './relay-client.ts';
import { OpencodeTranscript } from './transcript.ts';

function transcript() {
  const signals: AdapterEvent[] = [];
  const usage = new UsageSum('scripted', 'scripted-model');
  const writer = new AdapterEventWriter('opencode', (signal) => signals.push(signal));
  return { signals, usage, read: new OpencodeTranscript(writer, usage, (name) => name.replace(/^reins_/, '')) };
}

const joined = (signals: readonly AdapterEvent[], phase: string): string =>
  signals.flatMap((signal) => (signal.phase === phase ? [signal.text] : [])).join('');

test('reads a recorded run that wrote a file', () => {
  const { signals, usage, read } = transcript();
  const client = new RelayClient(() => undefined, {
    event: (type, properties) => {
      if (type === 'message.part.delta') read.delta(properties);
      if (type === 'message.part.updated') read.part(properties.part as JsonObject);
    },
    responded: () => undefined,
    failed: () => undefined,
    asked: () => undefined,
  });
  const text = readFileSync(new URL('../../../testdata/opencode-write.jsonl', import.meta.url), 'utf8');
  for (const line of text.split('\n').filter(Boolean)) expect(client.line(line)).toBe(true);
  expect(read.message).toBe('Done: wrote note.txt.');
  expect(joined(signals, 'agent.thinking.delta')).toBe('I should write the file.');
  expect(joined(signals, 'agent.output.delta')).toBe('Writing the file.Done: wrote note.txt.');
  expect(usage.usage.usage).toMatchObject({ inputTokens: 292, cachedInputTokens: 0, outputTokens: 24 });
  expect(signals.filter(({ phase }) => phase?.startsWith('agent.tool'))).toMatchObject([
    { phase: 'agent.tool.start', toolId: 'write', args: { filePath: 'note.txt', content: 'kept\n' } },
    { phase: 'agent.tool.result', toolId: 'write', output: 'Wrote file successfully.', error: null },
  ]);
});

const call = (callID: string, tool: string, state: JsonObject): JsonObject => ({
  id: `prt_${callID}`,
  type: 'tool',
  tool,
  callID,
  state,
});

test.each<[string, string, JsonObject, unknown]>([
  ['a command that succeeds', 'bash', { status: 'completed', output: 'ok', metadata: { exit: 0 } }, ['ok', null]],
  [
    'a command that fails',
    'bash',
    { status: 'completed', output: 'no', metadata: { exit: 3 } },
    [null, 'no\n(exit code 3)'],
  ],
  ['a refused call', 'read', { status: 'error', error: 'denied' }, [null, 'denied']],
  ['a tool of a server', 'reins_echo', { status: 'completed', output: 'echo' }, ['echo', null]],
])('%s has one start and one result', (_, tool, state, outcome) => {
  const { signals, read } = transcript();
  for (const before of ['pending', 'running', 'running']) read.part(call('1', tool, { status: before, input: {} }));
  for (const after of [state, state]) read.part(call('1', tool, { ...after, input: {} }));
  expect(signals.map(({ phase }) => phase)).toEqual(['agent.tool.start', 'agent.tool.result']);
  expect([signals[1]?.output, signals[1]?.error]).toEqual(outcome);
  expect(signals[1]?.toolId).toBe(tool.replace('reins_', ''));
});

test('a failure that a tool reports is one', () => {
  const { signals, read } = transcript();
  read.failed('1');
  read.part(call('1', 'reins_echo', { status: 'completed', output: 'no such text', input: {} }));
  expect([signals[1]?.output, signals[1]?.error]).toEqual([null, 'no such text']);
});

test('a message that is tried again has only the texts of its last attempt', () => {
  const { read } = transcript();
  for (const text of ['Par', 'Whole.']) {
    read.part({ id: `step_${text}`, type: 'step-start', messageID: 'm' });
    read.part({ id: `text_${text}`, type: 'text', messageID: 'm', text });
  }
  expect(read.message).toBe('Whole.');
});
