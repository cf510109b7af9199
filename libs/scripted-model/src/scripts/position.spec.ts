import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Turn } from '../model.ts';
import { positionOf } from './position.ts';

const user = (...texts: string[]): Turn => ({ kind: 'user', texts });
const assistant: Turn = { kind: 'assistant', texts: ['…'] };
const result: Turn = { kind: 'result', texts: [] };

describe('positionOf', () => {
  it('counts the rounds since the last user request', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 5 }), { minLength: 1 }), (asks) => {
        const turns = asks.flatMap((rounds, index) => [
          user(`ask ${index}`),
          ...rounds.flatMap((calls) => [assistant, ...Array.from({ length: calls }, () => result)]),
        ]);
        expect(positionOf(turns)).toMatchObject({
          step: asks.at(-1)?.length,
          rounds: asks.flat().length,
          userMessage: `ask ${asks.length - 1}`,
        });
      }),
    );
  });

  it('ignores context that a harness adds to user messages', () => {
    const turns = [
      user('<environment>here</environment>', 'Do it.'),
      assistant,
      result,
      user('<system-reminder>Be quick.</system-reminder>'),
    ];
    expect(positionOf(turns)).toMatchObject({ step: 1, rounds: 1, userMessage: 'Do it.' });
  });
});
