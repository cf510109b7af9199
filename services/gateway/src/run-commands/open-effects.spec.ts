import { expect, test } from '@jest/globals';
import type { AnyEvent } from '@reins/contracts';
import { checkAnswer, checkDecision, checkSignal } from './check-command.ts';
import { OpenEffects, OpenEffectsReader } from './open-effects.ts';

const event = (type: string, fields: object): AnyEvent => ({ type, ...fields }) as unknown as AnyEvent;
const asks = event('runtime.approval.requested', {
  approvalId: 'ship',
  subject: { kind: 'breakpoint', label: 'Ship' },
});
const task = event('runtime.task.requested', { effectId: 'build', taskId: 'build', kind: 'node' });
const signal = event('runtime.request.waiting', { reason: 'signal', effectId: 'e9', signal: 'go' });
const ended = (type: string, effectId: string) => event(type, { effectId });

function effectsOf(...events: AnyEvent[]): OpenEffects {
  const effects = new OpenEffects();
  for (const one of events) effects.add(one);
  return effects;
}

test.each(['no', 'yes', false, null, { approved: 1 }])(
  'the answer %j to a breakpoint is refused with the form',
  (answer) => {
    const check = () => checkAnswer(effectsOf(asks), 'ship', { requestId: 'r1', answer }, 'answered');
    expect(check).toThrow(
      expect.objectContaining({ code: 'answer_invalid', hint: expect.stringContaining('"approve"') }),
    );
  },
);

test.each(['approve', 'deny', { approved: false, feedback: 'no' }])(
  'the answer %j to a breakpoint is a decision',
  (answer) => {
    expect(checkAnswer(effectsOf(asks), 'ship', { requestId: 'r1', answer }, 'answered')).toEqual({
      status: 'answered',
    });
  },
);

test('an answer to a task may be anything', () => {
  expect(checkAnswer(effectsOf(task), 'build', { requestId: 'r1', answer: 'no' }, 'answered')).toEqual({
    status: 'answered',
  });
});

test.each([
  [{ question: 'Ship it?' }, 'breakpoint ship (Ship it?)'],
  ['Ship it?', 'breakpoint ship (Ship it?)'],
  [{ version: 3 }, 'breakpoint ship'],
])('a breakpoint without a label is named by its question %j', (payload, named) => {
  const subject = { kind: 'breakpoint', label: 'breakpoint', detail: { payload } };
  const waits = effectsOf(event('runtime.approval.requested', { approvalId: 'ship', subject }));
  expect(checkAnswer(waits, 'e1', { requestId: 'r1', answer: 1 }, 'answered').message).toBe(
    `the request does not wait for e1; it waits for ${named}`,
  );
});

test('an effect that the request does not wait for is named, with those that it waits for', () => {
  const waits = effectsOf(task, asks, ended('runtime.task.completed', 'build'));
  expect(checkAnswer(waits, 'build', { requestId: 'r1', answer: 1 }, 'answered')).toEqual({
    status: 'not_pending',
    message: 'build already has a result; it waits for breakpoint ship (Ship)',
  });
  expect(checkAnswer(waits, 'what', { requestId: 'r1', answer: 1 }, 'answered').message).toMatch(
    /^the request does not wait for what;/,
  );
  expect(checkDecision(waits, 'build', { requestId: 'r1', status: 'approved' }).status).toBe('not_pending');
  expect(checkDecision(waits, 'ship', { requestId: 'r1', status: 'approved' })).toEqual({ status: 'approved' });
});

test.each([
  [
    event('runtime.stage.waiting', { effectId: 'e1', stage: 'execute', questionNumber: 2 }),
    "an answer to a question; end the wait with `reins requests answer r1 e1 '<answer>' --question 2`",
  ],
  [
    event('runtime.task.requested', { effectId: 'e1', taskId: 'build', kind: 'node' }),
    "the result of a task; end the wait with `reins requests answer r1 e1 '<JSON>'`",
  ],
  [
    event('runtime.request.waiting', { reason: 'signal', effectId: 'e1', signal: 'go' }),
    "signal go; end the wait with `reins requests signal r1 go # or with a payload: '<JSON>'`",
  ],
])('what takes no decision names the command that ends its wait: %j', (opened, text) => {
  expect(checkDecision(effectsOf(opened), 'e1', { requestId: 'r1', status: 'approved' })).toEqual({
    status: 'not_pending',
    message: `e1 takes no decision: it waits for ${text}`,
  });
});

test('the refusal of an answer names the command that decides', () => {
  const check = () => checkAnswer(effectsOf(asks), 'ship', { requestId: 'r1', answer: 'ok' }, 'answered');
  expect(check).toThrow(
    expect.objectContaining({ hint: expect.stringContaining('`reins approvals approve r1 ship` or `deny`') }),
  );
});

test('a decided breakpoint no longer waits', () => {
  const decided = event('runtime.approval.resolved', { approvalId: 'ship', decision: 'denied' });
  expect(checkDecision(effectsOf(asks, decided), 'ship', { requestId: 'r1', status: 'approved' })).toEqual({
    status: 'not_pending',
    message: 'ship already has a result',
  });
});

test('an answer to a question that is not open is refused', () => {
  const ask = (questionNumber: number) =>
    event('runtime.stage.waiting', { effectId: 'work', stage: 'execute', questionNumber });
  const waits = effectsOf(ask(1), ended('runtime.request.resumed', 'work'), ask(2));
  const check = (questionNumber?: number) =>
    checkAnswer(waits, 'work', { requestId: 'r1', answer: 'yes', questionNumber }, 'answered');
  expect(check(1)).toEqual({
    status: 'not_pending',
    message: 'the request does not wait for question 1; it waits for question 2 of work',
  });
  expect([check(2), check()]).toEqual([{ status: 'answered' }, { status: 'answered' }]);
  expect(checkAnswer(waits, 'other', { requestId: 'r1', answer: 1 }, 'answered').message).toMatch(
    /question 2 of work \(execute\)$/,
  );
});

test('an answer without a number is for the latest question that the log shows', () => {
  const ask = event('runtime.stage.waiting', { effectId: 'work', stage: 'execute', questionNumber: 1 });
  expect(effectsOf(ask).questionNumber('work')).toBe(1);
  expect(effectsOf(ask, ended('runtime.request.resumed', 'work')).questionNumber('work')).toBe(1);
  expect(effectsOf(task).questionNumber('build')).toBeUndefined();
});

test('a signal that nothing waits for is queued', () => {
  expect(checkSignal(effectsOf(signal), 'go')).toEqual({ status: 'sent' });
  expect(checkSignal(effectsOf(signal), 'stop')).toEqual({
    status: 'queued',
    message: 'nothing waits for signal stop yet, so it is kept; the request waits for signal go',
  });
  expect(checkSignal(effectsOf(signal, ended('runtime.request.resumed', 'e9')), 'go').status).toBe('queued');
});

test('a second look reads newer events only, unless NATS may have been restored in between', async () => {
  const afters: number[] = [];
  const log = {
    connection: 1,
    stored: [{ event: { seq: 7, body: task } }],
    async itemsOf(_run: unknown, _types: unknown, after = 0) {
      afters.push(after);
      return this.stored.filter(({ event }) => event.seq > after);
    },
  };
  const reader = new OpenEffectsReader(log as unknown as ConstructorParameters<typeof OpenEffectsReader>[0]);
  const run = { workspaceId: 'w', requestId: 'r' };
  expect((await reader.forAnswer(run)).find('build')?.kind).toBe('task');
  expect((await reader.forAnswer(run)).find('build')?.kind).toBe('task');
  expect(afters).toEqual([0, 7]);
  Object.assign(log, { connection: 2, stored: [{ event: { seq: 5, body: signal } }] });
  expect((await reader.forAnswer(run)).find('build')).toBeUndefined();
  expect(afters).toEqual([0, 7, 0]);
});
