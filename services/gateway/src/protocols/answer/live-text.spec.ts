import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { LiveText, type NumberedSignal } from './live-text.ts';

const delta = (seq: number, text: string, attempt = 'a'): NumberedSignal => ({ attempt, seq, kind: 'text', text });
const tool = (seq: number): NumberedSignal => ({ attempt: 'a', seq, kind: 'tool' });

/** What a client has at the end. */
function received(signals: readonly NumberedSignal[], final: string): string {
  const text = new LiveText();
  const live = signals.map((signal) => text.add(signal)).join('');
  return live + text.finish(final);
}

describe('the text that a client receives', () => {
  test('is the final text, whatever order the signals have, and whichever of them are lost or repeated', () => {
    const parts = fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(parts, fc.infiniteStream(fc.nat()), (texts, random) => {
        const next = (): number => random.next().value;
        const all = texts.map((text, index) => delta(index + 1, text));
        const kept = all.flatMap((signal) => (next() % 5 === 0 ? [] : next() % 5 === 0 ? [signal, signal] : [signal]));
        const shuffled = kept.map((signal) => ({ signal, key: next() })).sort((a, b) => a.key - b.key);
        expect(
          received(
            shuffled.map(({ signal }) => signal),
            texts.join(''),
          ),
        ).toBe(texts.join(''));
      }),
    );
  });

  test('has the messages between tool calls as paragraphs', () => {
    const signals = [delta(1, 'I look.'), tool(2), tool(3), delta(4, 'It is '), delta(5, '7.')];
    expect(received(signals, 'It is 7.')).toBe('I look.\n\nIt is 7.');
    expect(received(signals, 'I look.It is 7.')).toBe('I look.\n\nIt is 7.');
  });

  test('waits for a signal that arrives late in the other stream', () => {
    const text = new LiveText();
    expect([delta(1, 'a'), delta(3, 'c'), tool(2)].map((signal) => text.add(signal))).toEqual(['a', '', '\n\nc']);
  });

  test('of another attempt follows the text of the first one as a whole', () => {
    expect(received([delta(1, 'A first try'), delta(1, 'A second', 'b')], 'A second try.')).toBe(
      'A first try\n\nA second try.',
    );
  });

  test('is live for another attempt if the first one wrote nothing', () => {
    const text = new LiveText();
    const first: NumberedSignal = { attempt: 'a', seq: 1, kind: 'other' };
    expect([first, delta(1, 'live', 'b')].map((signal) => text.add(signal))).toEqual(['', 'live']);
  });

  test('is complete without any signal', () => {
    expect(received([], 'whole')).toBe('whole');
  });
});
