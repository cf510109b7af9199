import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { messageOf } from './untrusted.ts';

const TURN = { drafts: [], steps: [], state: 'waiting', awaited: [] };
const turn = (more: object) => ({ type: 'turn', turn: { ...TURN, ...more } });
const resolved = { type: 'EFFECT_RESOLVED', data: { effectId: 'ef_1', attempt: 1, status: 'ok', value: 1 } };
const PROCESS = { id: 'process/main.ts', codeHash: 'c' };
const assigned = { type: 'PROCESS_ASSIGNED', data: { process: PROCESS, inputs: 1 } };
const log = { type: 'PROCESS_LOG', data: { message: 'hello' } };

describe('messages of a child', () => {
  test('are accepted in their valid form', () => {
    const step = { effectId: 'ef_1', name: 's', attempt: 1, notBefore: 0, timeoutMs: 1, maxAttempts: 1 };
    for (const message of [
      turn({ drafts: [log, assigned], steps: [step] }),
      { type: 'stepped', effectId: 'ef_1', draft: resolved },
      { type: 'failed', error: { code: 'process_invalid', message: 'no' } },
      { type: 'console', text: 'hello' },
    ])
      expect(messageOf(JSON.stringify(message))).toEqual(message);
  });

  test.each([
    ['no JSON', '{'],
    ['no object', '[]'],
    ['an answer to an effect, which it has no part in', turn({ drafts: [resolved] })],
    ['the beginning of a run', turn({ drafts: [{ type: 'RUN_CREATED', data: {} }] })],
    ['an approval', turn({ drafts: [{ type: 'APPROVAL_RESOLVED', data: {} }] })],
    [
      'that somebody gave the run another process',
      turn({ drafts: [{ type: 'PROCESS_ASSIGNED', data: { process: PROCESS, previous: PROCESS } }] }),
    ],
    [
      'an entry that is not what its type says',
      turn({ drafts: [{ type: 'EFFECT_REQUESTED', data: { effectId: 1 } }] }),
    ],
    [
      'two ends of a run',
      turn({
        drafts: [
          { type: 'RUN_COMPLETED', data: { output: 1 } },
          { type: 'RUN_FAILED', data: { error: { code: 'x', message: 'y' } } },
        ],
      }),
    ],
    ['an unknown state', turn({ state: 'rich' })],
    ['a step without a number', turn({ steps: [{ effectId: 'e', name: 's' }] })],
    ['a divergence without an error', turn({ divergence: {} })],
    ['the result of another step', { type: 'stepped', effectId: 'ef_2', draft: resolved }],
    ['an invalid result', { type: 'stepped', effectId: 'ef_1', draft: { ...log, data: { effectId: 'ef_1' } } }],
    [
      'a step that failed with an error of its host',
      {
        type: 'stepped',
        effectId: 'ef_1',
        draft: {
          type: 'EFFECT_RESOLVED',
          data: { effectId: 'ef_1', attempt: 1, status: 'error', error: { code: 'journal_fenced', message: 'x' } },
        },
      },
    ],
    ['an error without a code', { type: 'failed', error: {} }],
    ['a line without text', { type: 'console', text: {} }],
    ['an invalid schema', { type: 'loaded', inputSchema: 1 }],
    ['a problem without a place', { type: 'loaded', wrong: [{ message: 'no' }] }],
  ])('%s counts as a crash', (_, message) => {
    const json = typeof message === 'string' ? message : JSON.stringify(message);
    expect(() => messageOf(json)).toThrow(expect.objectContaining({ code: 'process_crashed' }));
  });

  test('are accepted or rejected, without any other error', () => {
    const message = fc.oneof(
      fc.jsonValue(),
      fc.record({ type: fc.constantFrom('turn', 'stepped', 'failed'), turn: fc.jsonValue(), draft: fc.jsonValue() }),
    );
    fc.assert(
      fc.property(message, (said) => {
        try {
          messageOf(JSON.stringify(said));
        } catch (error) {
          expect(error).toMatchObject({ code: 'process_crashed' });
        }
      }),
    );
  });
});
