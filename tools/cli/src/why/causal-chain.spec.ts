import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { causalChain, type ListedEvent, questionOf } from './causal-chain.ts';

const event = (id: string, type: string, causation?: string): ListedEvent => ({
  seq: 1,
  id,
  type,
  time: '2026-01-01T00:00:00.000Z',
  body: {},
  ...(causation && { causation }),
});

const RUN = [
  event('a.0', 'runtime.request.started', 'R1.submit'),
  event('b.0', 'runtime.plan.requested', 'R1.submit'),
  event('c.0', 'runtime.plan.rejected', 'b.0.runtime.plan.rejected'),
  event('d.0', 'runtime.request.failed', 'b.0.runtime.plan.rejected'),
];

test('the chain goes from the command over requests and answers to the end', () => {
  const asked = questionOf(RUN);
  expect(asked?.type).toBe('runtime.request.failed');
  const chain = asked ? causalChain(RUN, asked) : [];
  expect(chain.map((link) => (link.kind === 'event' ? link.event.type : link.says))).toEqual([
    'R1.submit',
    'runtime.plan.requested',
    'runtime.plan.rejected',
    'runtime.request.failed',
  ]);
});

test('a run that goes on is asked about its last wait', () => {
  const waiting = event('w.0', 'runtime.request.waiting', 'b.0');
  expect(questionOf([...RUN.slice(0, 2), waiting, event('x.0', 'agent.handoff', 'b.0')])).toBe(waiting);
  expect(questionOf([])).toBeUndefined();
});

test('causes that go round in circles, or are unknown, end the chain', () => {
  const ids = fc.constantFrom('a.0', 'b.0', 'c.0', 'a.0.x', 'nothing');
  const log = fc.array(fc.tuple(ids, ids), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(log, (pairs) => {
      const events = pairs.map(([id, cause]) => event(id, 'runtime.request.started', cause));
      for (const asked of events) expect(causalChain(events, asked).length).toBeLessThanOrEqual(2 * events.length + 1);
    }),
  );
});
