import { expect, test } from '@jest/globals';
import { defined } from '@reins/contracts';
import { effectNames, entriesBefore, type NamingEntry } from './effect-names.ts';

const requested = (seq: number, effectId: string, kind: string, request: object, label?: string): NamingEntry => ({
  seq,
  type: 'EFFECT_REQUESTED',
  data: { effectId, kind, request, ...defined({ label }) },
});
const resolved = (seq: number, effectId: string): NamingEntry => ({ seq, type: 'EFFECT_RESOLVED', data: { effectId } });

const PIPELINE: readonly NamingEntry[] = [
  { seq: 1, type: 'RUN_CREATED', data: {} },
  requested(2, 'p1', 'prepare', { stage: 'execute', iteration: 1 }),
  requested(4, 's1', 'stage', { stage: 'execute' }),
  requested(5, 's1', 'stage', { stage: 'execute' }),
  resolved(6, 's1'),
  requested(7, 'p2', 'prepare', { stage: 'execute', iteration: 2 }),
  requested(9, 's2', 'stage', { stage: 'execute' }),
  requested(10, 't1', 'task', { kind: 'agent', taskId: 'build' }, 'Build it'),
  requested(11, 'c1', 'child', { process: 'other' }),
  requested(12, 'b1', 'breakpoint', {}),
];

test('each effect has the words by which people know it', () => {
  expect(Object.fromEntries(effectNames(PIPELINE))).toEqual({
    p1: 'prepare execute',
    s1: 'stage execute',
    p2: 'prepare execute, iteration 2',
    s2: 'stage execute, iteration 2',
    t1: 'agent Build it',
    c1: 'child other',
    b1: 'breakpoint',
  });
});

test.each([
  ['6', 6],
  ['s1', 3],
  ['t1', 9],
  ['execute', 6],
  ['execute:2', 6],
  ['execute:1', 1],
  ['build', 9],
  ['Build it', 9],
])('--at %s shares %i entries', (at, shared) => {
  expect(entriesBefore(PIPELINE, at, '--at')).toBe(shared);
});

test.each([
  ['exceute', /exceute is not a number, an effect or a stage/, 'Did you mean execute?'],
  ['execute:3', /execute:3 is not/, 'List the entries and effects with `reins run:events`.'],
  ['0', /positive integer/, undefined],
])('--at %s is refused', (at, message, hint) => {
  expect(() => entriesBefore(PIPELINE, at, '--at')).toThrow(
    expect.objectContaining({ message: expect.stringMatching(message), ...defined({ hint }) }),
  );
});

const CHILDREN: readonly NamingEntry[] = ['a', 'b', 'b', 'c', 'd'].map((id, at) =>
  requested(at + 2, `ef_${id}`, 'child', {
    process: 'stage',
    inputs: { stage: 'execute', input: 'Write it' },
    childRequestId: `run_${id}`,
  }),
);

test.each([
  ['execute', 'ef_d', 'run_d'],
  ['execute:2', 'ef_b', 'run_b'],
])('--at %s names the child runs of the stage, and the effect that starts the wanted one', (at, effectId, runId) => {
  expect(() => entriesBefore(CHILDREN, at, '--at')).toThrow(
    expect.objectContaining({
      message: `--at ${at}: stage execute belongs to child runs run_a, run_b, run_c and 1 more`,
      hint: `Pass --at ${effectId}, the effect that starts ${runId}.`,
    }),
  );
  expect(entriesBefore(CHILDREN, effectId, '--at')).toBeLessThan(CHILDREN.length + 1);
});

test.each(['execute:9', 'evaluate'])('--at %s, which no child run has, is refused as before', (at) => {
  expect(() => entriesBefore(CHILDREN, at, '--at')).toThrow(/is not a number, an effect or a stage of the run/);
});
