import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@reins/contracts';
import fc from 'fast-check';
import type { ListedEvent } from '../client/listed-events.ts';
import { causalChain, defaultTarget } from './causal-chain.ts';

const event = (id: string, type: string, causation?: string, body: JsonObject = {}): ListedEvent => ({
  seq: 1,
  id,
  type,
  time: '2026-01-01T00:00:00.000Z',
  body,
  ...(causation && { causation }),
});

/** The chain from the first cause to the event, in short form. */
function chainTo(events: readonly ListedEvent[], target: ListedEvent | undefined): string[] {
  const chain = target ? causalChain(events, target) : [];
  return chain.map((link) => (link.kind === 'event' ? `${link.event.type} ${link.event.id}` : link.text));
}

const RUN = [
  event('a.0', 'runtime.request.started', 'R1.submit'),
  event('b.0', 'runtime.plan.requested', 'R1.submit'),
  event('c.0', 'runtime.plan.rejected', 'b.0.runtime.plan.rejected'),
  event('d.0', 'runtime.request.failed', 'b.0.runtime.plan.rejected'),
];

test('the chain leads from the command through requests and answers to the end', () => {
  const target = defaultTarget(RUN);
  expect(target?.type).toBe('runtime.request.failed');
  expect(chainTo(RUN, target)).toEqual([
    'R1.submit',
    'runtime.plan.requested b.0',
    'runtime.plan.rejected',
    'runtime.request.failed d.0',
  ]);
});

test('what a running stage waits for is not explained by default: it follows the chain', () => {
  const progress = event('e.0', 'runtime.stage.progress', 'b.0.effect.progress.1');
  expect(defaultTarget([...RUN.slice(0, 2), progress])?.id).toBe('b.0');
});

describe('the chain continues from a due timer', () => {
  const [asleep, awake] = [
    event('w.0', 'runtime.request.waiting', 'R1.submit', { effectId: 'nap', reason: 'timer' }),
    event('x.0', 'runtime.request.resumed', 'R1.nap.wake.1.1767225600000.4', { effectId: 'nap' }),
  ];

  test.each(['1.due', '1.1767225600000.4'])('to the sleep that set the timer (%s)', (when) => {
    const others = [
      event('o.0', 'runtime.request.waiting', 'R1.other', { effectId: 'other', reason: 'timer' }),
      event('p.0', 'agent.handoff', 'R1.other', { effectId: 'nap' }),
    ];
    const woken = event('x.0', 'runtime.request.resumed', `R1.nap.wake.${when}`, { effectId: 'nap' });
    expect(chainTo([asleep, ...others, woken], woken)).toEqual([
      'R1.submit',
      'runtime.request.waiting w.0',
      'timer.due wake',
      'runtime.request.resumed x.0',
    ]);
  });

  test('to the attempt with that deadline, not to a later one', () => {
    const attempt = (n: number, id: string, type: string, cause: string) =>
      event(id, `runtime.stage.${type}`, cause, { effectId: 'work', attempt: n });
    const events = [
      attempt(1, 'a.0', 'requested', 'R1.submit'),
      attempt(1, 'b.0', 'started', 'a.0.runtime.stage.started'),
      attempt(1, 'c.0', 'failed', 'R1.work.run.1.due'),
      attempt(2, 'c.1', 'requested', 'R1.work.run.1.due'),
      attempt(2, 'd.0', 'failed', 'R1.work.start.2.due'),
    ];
    expect(chainTo(events, events.at(-1))).toEqual([
      'R1.submit',
      'runtime.stage.requested a.0',
      'runtime.stage.started',
      'runtime.stage.started b.0',
      'timer.due run',
      'runtime.stage.requested c.1',
      'timer.due start',
      'runtime.stage.failed d.0',
    ]);
  });

  test('and ends there when no event of the log set the timer', () => {
    const cancelled = event('z.0', 'runtime.request.cancelled', 'R1.R1.grace.1.due', { effectId: 'R1' });
    expect(chainTo([asleep, awake, cancelled], cancelled)).toEqual([
      'timer.due grace',
      'runtime.request.cancelled z.0',
    ]);
    expect(chainTo([awake, asleep], awake)).toEqual(['timer.due wake', 'runtime.request.resumed x.0']);
  });
});

describe('the chain continues from a command', () => {
  const fact = (version: number, type: string, causation: string | undefined, body: JsonObject = {}): ListedEvent => ({
    ...event(`${version}.${type}`, type, causation, { requestId: 'R1', ...body }),
    version,
  });
  const waits = (version: number, reason: string, effectId: string, causation?: string) =>
    fact(version, 'runtime.request.waiting', causation, { reason, effectId });
  const resumed = (version: number, effectId: string, causation: string) =>
    fact(version, 'runtime.request.resumed', causation, { effectId });
  const ends = (events: readonly ListedEvent[]) => chainTo(events, events.at(-1));
  const submitted = fact(1, 'runtime.request.started', 'R1.submit');
  const task = fact(2, 'runtime.task.requested', 'R1.submit', { effectId: 'build' });

  test('to the task, breakpoint or question that it answered', () => {
    const events = [
      submitted,
      task,
      fact(3, 'runtime.task.completed', 'R1.command.run.answer.a1', { effectId: 'build' }),
      waits(4, 'breakpoint', 'ship', 'R1.command.run.answer.a1'),
      resumed(5, 'ship', 'R1.command.approval.resolve.b2'),
      fact(6, 'runtime.request.completed', 'R1.command.approval.resolve.b2'),
    ];
    expect(ends(events)).toEqual([
      'R1.submit',
      'runtime.task.requested 2.runtime.task.requested',
      'command.run.answer',
      'runtime.request.waiting 4.runtime.request.waiting',
      'command.approval.resolve',
      'runtime.request.completed 6.runtime.request.completed',
    ]);
  });

  test.each([
    ['assignment', 'process', 'R1', 'assign'],
    ['error that waits for an operator', 'operator', 'build', 'resume'],
  ])(
    'to the wait for a process %s, and from the following local work to the command',
    (_, reason, effectId, command) => {
      const events = [
        submitted,
        waits(2, reason, effectId, 'R1.submit'),
        resumed(3, 'R1', `R1.command.run.${command}.a1`),
        fact(3, 'control.directive.emitted', `R1.command.run.${command}.a1`),
        fact(4, 'runtime.request.completed', undefined),
      ];
      expect(ends(events)).toEqual([
        'R1.submit',
        'runtime.request.waiting 2.runtime.request.waiting',
        `command.run.${command}`,
        'runtime.request.resumed 3.runtime.request.resumed',
        'runtime.request.completed 4.runtime.request.completed',
      ]);
    },
  );

  test('and from the end of a child run to the wait for it', () => {
    const events = [submitted, waits(2, 'child', 'ef', 'R1.submit'), resumed(3, 'ef', 'ab12.parent')];
    expect(ends(events)).toEqual([
      'R1.submit',
      'runtime.request.waiting 2.runtime.request.waiting',
      'ab12.parent',
      'runtime.request.resumed 3.runtime.request.resumed',
    ]);
  });

  test('of an operator who ends or pauses the run to what it waited for, or to its last work', () => {
    const cancel = 'R1.command.run.cancel.a1';
    const cancelled = [
      submitted,
      task,
      fact(3, 'runtime.task.cancelled', cancel, { effectId: 'build' }),
      fact(4, 'runtime.request.cancelled', cancel),
    ];
    expect(ends(cancelled)).toEqual([
      'R1.submit',
      'runtime.task.requested 2.runtime.task.requested',
      'command.run.cancel',
      'runtime.request.cancelled 4.runtime.request.cancelled',
    ]);
    const halt = 'R1.command.run.halt.a1';
    const halted = [
      submitted,
      waits(2, 'breakpoint', 'ship', 'R1.submit'),
      fact(3, 'runtime.approval.resolved', halt, { decision: 'expired' }),
      fact(4, 'runtime.request.completed', halt),
    ];
    expect(ends(halted)).toEqual([
      'R1.submit',
      'runtime.request.waiting 2.runtime.request.waiting',
      'command.run.halt',
      'runtime.request.completed 4.runtime.request.completed',
    ]);
    const paused = [submitted, waits(4, 'operator', 'R1', 'R1.command.run.pause.a1')];
    expect(ends(paused)).toEqual([
      'R1.submit',
      'runtime.request.started 1.runtime.request.started',
      'command.run.pause',
      expect.stringContaining('runtime.request.waiting'),
    ]);
  });
});

test('explains the last wait of a running run by default', () => {
  const waiting = event('w.0', 'runtime.request.waiting', 'b.0');
  expect(defaultTarget([...RUN.slice(0, 2), waiting, event('x.0', 'agent.handoff', 'b.0')])).toBe(waiting);
  expect(defaultTarget([])).toBeUndefined();
});

test('explains an open task rather than a wait that has ended', () => {
  const waits = event('w.0', 'runtime.request.waiting', 'b.0', { effectId: 'c1', reason: 'child' });
  const task = event('t.0', 'runtime.task.requested', 'b.0', { effectId: 'build', kind: 'check' });
  const resumed = event('x.0', 'runtime.request.resumed', 'ab.parent', { effectId: 'c1' });
  expect(defaultTarget([waits, task, resumed])).toBe(task);
  expect(defaultTarget([waits, resumed, event('y.0', 'agent.handoff')])?.id).toBe('y.0');
});

test('cyclic or unknown causes end the chain', () => {
  const ids = fc.constantFrom('a.0', 'b.0', 'c.0', 'a.0.x', 'nothing', 'R1.e.wake.1.due', 'R1.command.signal.a');
  const types = fc.constantFrom('runtime.request.waiting', 'runtime.request.resumed');
  const log = fc.array(fc.tuple(ids, fc.option(ids), types, fc.nat(3)), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(log, (pairs) => {
      const events = pairs.map(([id, cause, type, version]) => ({
        ...event(id, type, cause ?? undefined, { effectId: 'e' }),
        version,
      }));
      for (const target of events)
        expect(causalChain(events, target).length).toBeLessThanOrEqual(2 * events.length + 1);
    }),
  );
});
