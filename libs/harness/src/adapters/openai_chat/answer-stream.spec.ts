import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { AnswerStream } from './answer-stream.ts';
import type { ChatDelta } from './protocol.ts';

const recorded = readFileSync(new URL('../../../testdata/litellm-toolcall-stream.txt', import.meta.url), 'utf8').split(
  '\n',
);

function read(lines: readonly string[]) {
  const deltas: ChatDelta[] = [];
  const stream = new AnswerStream((delta) => deltas.push(delta));
  for (const line of lines) stream.push(line.startsWith('data:') ? `${line}\n\n` : `${line}\n`);
  return { answer: stream.end(), deltas };
}

const codeOf = (run: () => unknown): string => {
  try {
    run();
    return 'no error';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}`;
const DONE = 'data: [DONE]';

describe('AnswerStream', () => {
  test('assembles a recorded answer', () => {
    const { answer, deltas } = read(recorded);
    expect(answer).toMatchObject({ text: 'Writing the file.', finishReason: 'tool_calls' });
    expect(answer.calls.map((call) => [call.function.name, JSON.parse(call.function.arguments)])).toEqual([
      ['write', { path: '<cwd>/a.txt', content: 'word\n' }],
    ]);
    expect(
      deltas
        .filter((delta) => delta.kind === 'thinking')
        .map((delta) => delta.text)
        .join(''),
    ).toBe('I should write the file.');
  });

  test('rejects an answer as truncated when it is cut after any line', () => {
    const lines = recorded.filter((line) => line !== '');
    for (let length = 0; length < lines.length; length += 1) {
      expect(codeOf(() => read(lines.slice(0, length)))).toBe('model_answer_cut');
    }
  });

  test('fails at an error line, regardless of the previous lines', () => {
    const error = 'data: {"error":{"message":"upstream broke","code":"500"}}';
    expect(codeOf(() => read([chunk({ content: 'a' }), error]))).toBe('model_unavailable');
    expect(codeOf(() => read([chunk({}, 'stop'), error.replace('500', '429'), DONE]))).toBe('model_rate_limited');
  });

  test('rejects an invalid chunk', () => {
    for (const line of ['<html>', 'data: {"cut', 'data: 7', 'data: []']) {
      expect(codeOf(() => read([line, chunk({}, 'stop'), DONE]))).toBe('model_answer_invalid');
    }
  });

  test('ignores comments and other fields', () => {
    expect(
      read([': keep-alive', 'event: message', 'id: 7', '', chunk({ content: 'a' }), chunk({}, 'stop'), DONE]).answer
        .text,
    ).toBe('a');
  });

  test('a stream of events gives the same answer however it is written and split', () => {
    const noise = fc.constantFrom(': keep-alive', 'event: message', 'id: 7', 'retry: 10', 'retry: soon', '');
    const texts = fc.array(fc.tuple(fc.string({ unit: 'grapheme', minLength: 1 }), noise), { minLength: 1 });
    const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
    const space = fc.constantFrom('', ' ');
    fc.assert(
      fc.property(texts, lineEnd, space, fc.array(fc.nat()), fc.boolean(), (parts, end, gap, places, isClosed) => {
        const events = [...parts.map(([content]) => chunk({ content })), chunk({}, 'stop'), DONE];
        const lines = events.flatMap((event, index) => [
          ...[parts[index]?.[1] ?? []].flat(),
          event.replace('data: ', `data:${gap}`),
          '',
        ]);
        const bytes = Buffer.from(lines.slice(0, isClosed ? undefined : -1).join(end));
        const cuts = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
        const decoder = new TextDecoder();
        const stream = new AnswerStream(() => {});
        for (const [index, to] of cuts.slice(1).entries())
          stream.push(decoder.decode(bytes.subarray(cuts[index], to), { stream: true }));
        expect(stream.end()).toEqual({
          text: parts.map(([content]) => content).join(''),
          calls: [],
          finishReason: 'stop',
        });
      }),
    );
  });

  test('reads an event whose data has several lines', () => {
    const pretty = JSON.stringify({ choices: [{ delta: { content: 'a' }, finish_reason: 'stop' }] }, undefined, 1);
    expect(read([`${pretty.replaceAll(/^/gm, 'data: ')}`, DONE]).answer.text).toBe('a');
  });

  test('rejects a line and an event that never end, and keeps none of it', () => {
    const part = 'x'.repeat(1024 * 1024);
    for (const end of ['', '\ndata: ']) {
      const stream = new AnswerStream(() => {});
      const push = () => {
        stream.push('data: ');
        for (let pushed = 0; pushed < 6; pushed += 1) stream.push(part + end);
      };
      expect(codeOf(push)).toBe('model_answer_invalid');
    }
  });

  test('joins the pieces of parallel calls by index, in any order', () => {
    const calls = fc.array(fc.tuple(fc.stringMatching(/^[a-z_]{1,8}$/), fc.string()), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(calls, fc.infiniteStream(fc.nat({ max: 3 })), (wanted, order) => {
        const pieces = wanted.map(([name, text], index) => [
          { index, id: `call-${index}`, function: { name, arguments: '' } },
          ...[...text].map((letter) => ({ index, function: { arguments: letter } })),
        ]);
        const lines: string[] = [];
        while (pieces.some((queue) => queue.length > 0)) {
          const queue = pieces[(order.next().value as number) % pieces.length] as object[];
          const piece = queue.shift();
          if (piece) lines.push(chunk({ tool_calls: [piece] }));
        }
        const { answer } = read([...lines, chunk({}, 'tool_calls'), DONE]);
        expect(answer.calls.map((call) => [call.function.name, call.function.arguments])).toEqual(wanted);
      }),
    );
  });
});
