import { expect, test } from '@jest/globals';
import type { AnyEvent } from '@reins/contracts';
import { type EffectState, emptyRun, type RunState } from '@reins/journal';
import { isAnswerNeeded } from './needed-answers.ts';

const request = (fields: object) =>
  ({ type: 'runtime.stage.requested', effectId: 'e1', attempt: 2, ...fields }) as unknown as AnyEvent;

function stateWith(effect: object, run: Partial<RunState> = {}): RunState {
  const state = { ...emptyRun({ workspaceId: 'ws', runId: 'r' }), status: 'running', ...run } as RunState;
  state.effects.set('e1', { effectId: 'e1', status: 'started', attempt: 2, ...effect } as unknown as EffectState);
  return state;
}

test.each([
  ['of the current attempt', {}, {}, true],
  ['of an earlier attempt', {}, { attempt: 1 }, false],
  ['of a resolved effect', { status: 'resolved' }, {}, false],
  ['of a cancelled effect', { status: 'cancelled' }, {}, false],
  ['of a suspended effect', { status: 'waiting', suspended: {} }, {}, false],
  ['of a wait that its host holds', { status: 'waiting' }, {}, true],
  ['before a decision continued it', { resumptions: 1 }, {}, false],
  ['after a decision continued it', { resumptions: 1 }, { resume: { number: 1 } }, true],
  ['of an effect that the run does not have', {}, { effectId: 'e2' }, false],
])('the answer to a request %s', (_, effect, body, isNeeded) => {
  expect(isAnswerNeeded(stateWith(effect), request(body))).toBe(isNeeded);
});

test('a run that has ended needs no answer', () => {
  const state = stateWith({}, { status: 'cancelled', end: { status: 'cancelled' } } as Partial<RunState>);
  expect(isAnswerNeeded(state, request({}))).toBe(false);
});
