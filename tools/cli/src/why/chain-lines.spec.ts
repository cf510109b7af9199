import { expect, test } from '@jest/globals';
import type { JsonObject } from '@reins/contracts';
import type { ListedEvent } from '../client/listed-events.ts';
import { causalChain, defaultTarget } from './causal-chain.ts';
import { chainLines, endedChildren } from './chain-lines.ts';

const at = (second: number): string => new Date(2026, 0, 31, 12, 0, second).toISOString();

/** An event of the request `r1`. Its journal entry is `version`, and its id is `<version>.<type>`. */
function fact(version: number, type: string, causation: string, body: JsonObject = {}): ListedEvent {
  const id = `${version}.${type}`;
  return {
    seq: version,
    id,
    type,
    time: at(version),
    version,
    causation,
    body: { type, requestId: 'r1', ...body },
  };
}

/** A stage that is requested by entry `version` and ends with the entry two later. */
function stage(version: number, cause: string, name: string, effectId: string, end: string, fields: JsonObject) {
  const body = { effectId, stage: name, runtimeId: 'pi', attempt: 1 };
  const extra = { stage: name, runtime_id: 'pi', runtime_source: 'default', effect_id: effectId, attempt: 1 };
  const requested = `${version}.runtime.stage.requested`;
  return [
    fact(version, 'runtime.stage.requested', cause, body),
    fact(version, 'control.directive.emitted', cause, { directive: 'continue', extra }),
    fact(version + 1, 'runtime.stage.started', `${requested}.runtime.stage.started`, body),
    fact(version + 2, `runtime.stage.${end}`, `${requested}.runtime.stage.${end}`, { ...body, ...fields }),
  ];
}

const linesOf = (events: readonly ListedEvent[]): string[] => {
  const target = defaultTarget(events);
  return target ? chainLines(events, causalChain(events, target)) : [];
};

test('a failed evaluate is explained with its verdict, and each stage with runtime, iteration and duration', () => {
  const prepare = { effectId: 'p', stage: 'execute' };
  const verdict = { outcome: 'fail', reasons: ['no tests'] };
  const prepared = '3.runtime.prepare.requested.runtime.prepare.completed';
  const [execute, evaluate, again] = ['5', '10', '15'].map(
    (version) => `${version}.runtime.stage.requested.runtime.stage.completed`,
  ) as [string, string, string];
  const events = [
    fact(1, 'runtime.request.started', 'r1.submit'),
    fact(3, 'runtime.prepare.requested', 'r1.submit', prepare),
    fact(4, 'runtime.prepare.completed', prepared, { effectId: 'p', fingerprint: 'abc', warnings: [] }),
    ...stage(5, prepared, 'execute', 'e1', 'completed', {}),
    ...stage(10, execute, 'evaluate', 'e2', 'completed', { verdict }),
    ...stage(15, evaluate, 'execute', 'e3', 'completed', {}),
    fact(18, 'runtime.request.failed', again, { error: { code: 'budget_exceeded', message: 'no iteration is left' } }),
  ];
  expect(linesOf(events)).toEqual([
    '          ← the request was submitted',
    '12:00:04  prepared execute (abc)',
    '12:00:05  stage    execute → pi (default)',
    '12:00:07  stage    execute completed (1.0 s)',
    '12:00:10  stage    evaluate → pi (default)',
    '12:00:12  stage    evaluate completed: fail (no tests) (1.0 s)',
    '12:00:15  stage    execute → pi (default), iteration 2',
    '12:00:17  stage    execute completed (1.0 s)',
    '12:00:18  request  failed after 17 s: budget_exceeded: no iteration is left',
  ]);
});

test('work without a result is described, and so is a message that the log does not contain', () => {
  expect(linesOf([fact(2, 'runtime.plan.requested', 'r1.submit', { effectId: 'p' })])).toEqual([
    '          ← the request was submitted',
    '12:00:02  the workspace is being compiled',
  ]);
  expect(linesOf([fact(2, 'runtime.request.cancelled', 'r1.command.run.cancel.abc')])).toEqual([
    '          ← an operator cancelled the request',
    '12:00:02  request  cancelled',
  ]);
});

test('a child run appears with its work, a signal with its name, and no internal id', () => {
  const parent = (id: string) => `${id.repeat(32)}.parent`;
  const child = { effectId: 'c1', childRequestId: 'run_1' };
  const events = [
    fact(1, 'runtime.request.started', 'r1.submit'),
    fact(2, 'runtime.request.waiting', 'r1.submit', { effectId: 'c1', reason: 'child', message: 'child run run_1' }),
    fact(3, 'runtime.child.started', parent('ab'), child),
    fact(4, 'runtime.child.completed', parent('cd'), child),
    fact(4, 'runtime.request.resumed', parent('cd'), { effectId: 'c1' }),
    fact(5, 'runtime.request.waiting', parent('cd'), { effectId: 's1', reason: 'signal', signal: 'paid' }),
    fact(6, 'runtime.request.resumed', 'r1.command.signal.ef', { effectId: 's1' }),
    fact(7, 'runtime.request.completed', 'r1.command.signal.ef'),
  ];
  const target = defaultTarget(events);
  const chain = target ? causalChain(events, target) : [];
  expect(endedChildren(events, chain)).toEqual(['run_1']);
  expect(
    chainLines(events, chain, { childLines: new Map([['run_1', ['12:00:03  stage    execute completed']]]) }),
  ).toEqual([
    '          ← the request was submitted',
    '12:00:02  waiting  for child run run_1',
    '12:00:03  child    run run_1 started',
    '    12:00:03  stage    execute completed',
    '12:00:04  child    run run_1 completed',
    '12:00:05  waiting  for signal paid',
    '          ← signal paid arrived',
    '12:00:07  request  completed (6.0 s)',
  ]);
});

test('the id of an unknown message does not appear', () => {
  expect(linesOf([fact(2, 'runtime.request.cancelled', 'deadbeef.unknown')])).toEqual([
    '          ← a message that the event log does not contain',
    '12:00:02  request  cancelled',
  ]);
});

test('a decision says who decided what, and an answered task which one it was', () => {
  const decision = 'r1.command.approval.resolve.b1';
  const answer = 'r1.command.run.answer.b2';
  const events = [
    fact(1, 'runtime.request.started', 'r1.submit'),
    fact(2, 'runtime.request.waiting', 'r1.submit', { effectId: 'ship', reason: 'breakpoint', message: 'Ship it?' }),
    fact(3, 'runtime.approval.resolved', decision, { decision: 'approved', decidedBy: 'ada', comment: 'looks good' }),
    fact(3.5, 'runtime.request.resumed', decision, { effectId: 'ship' }),
    fact(4, 'runtime.task.requested', decision, { effectId: 'check', label: 'licences', taskId: 'licences' }),
    fact(5, 'runtime.task.completed', answer, { effectId: 'check', label: 'licences', taskId: 'licences' }),
    fact(6, 'runtime.request.completed', answer),
  ];
  const lines = linesOf(events);
  expect(lines).toContain('          ← ada approved: looks good');
  expect(lines).toContain('          ← task licences was answered');
});

test.each([
  ['pause', 'paused the request', { requested_by: 'ada (laptop)' }],
  ['resume', 'resumed the request', { requested_by: 'ada (laptop)' }],
  ['answer', 'answered', { answered_by: 'ada (laptop)' }],
])('a %s names the person, if the directive does', (command, did, extra) => {
  const cause = `r1.command.run.${command}.b1`;
  const linesWith = (more: JsonObject) =>
    linesOf([
      fact(1, 'runtime.request.started', 'r1.submit'),
      fact(2, 'runtime.request.waiting', cause, { effectId: 'r1', reason: 'operator' }),
      fact(2, 'control.directive.emitted', cause, { directive: 'wait', reason: 'lunch', ...more }),
    ]);
  expect(linesWith({ extra })).toContain(`          ← ada (laptop) ${did}`);
  expect(linesWith({}).join('\n')).toMatch(new RegExp(`← (an operator|a person or a worker) ${did}$`, 'm'));
});

test('a halted request was halted by an operator, although its open approval expired', () => {
  const halt = 'r1.command.run.halt.b1';
  const events = [
    fact(1, 'runtime.request.started', 'r1.submit'),
    fact(2, 'runtime.request.waiting', 'r1.submit', { effectId: 'ship', reason: 'breakpoint', message: 'Ship it?' }),
    fact(3, 'runtime.approval.resolved', halt, { decision: 'expired', decidedBy: '', comment: 'no longer needed' }),
    fact(4, 'runtime.request.failed', halt, { error: { code: 'run_halted', message: 'lunch' } }),
  ];
  expect(linesOf(events)).toContain('          ← an operator halted the request');
});

test('tasks that were requested together all appear, with who answered each', () => {
  const task = (version: number, effectId: string) =>
    fact(version, 'runtime.task.requested', 'r1.submit', { effectId, kind: 'check', taskId: effectId });
  const ended = (version: number, end: string, effectId: string, by: string) =>
    fact(version, `runtime.task.${end}`, `r1.command.run.answer.${effectId}`, {
      ...{ effectId, kind: 'check', taskId: effectId, answeredBy: by },
    });
  const events = [
    fact(1, 'runtime.request.started', 'r1.submit'),
    task(2, 'lint'),
    task(3, 'unit'),
    ended(4, 'failed', 'unit', 'ann'),
    ended(5, 'completed', 'lint', 'bob'),
    fact(6, 'runtime.request.completed', 'r1.command.run.answer.lint'),
  ];
  expect(linesOf(events)).toEqual([
    '          ← the request was submitted',
    '12:00:02  task     lint needs a result',
    '12:00:03  task     unit needs a result',
    '          ← task unit was reported as failed by ann',
    '          ← task lint was answered by bob',
    '12:00:06  request  completed (5.0 s)',
  ]);
});

test('a halted request names who halted it and why, after what it waited for', () => {
  const halt = 'r1.command.run.halt.a1';
  const breakpoint = { reason: 'breakpoint', effectId: 'b1', message: 'Ship it?' };
  const events = [
    fact(1, 'runtime.request.started', 'r1.submit', { forkedFrom: 'r0' }),
    fact(2, 'runtime.request.waiting', 'r1.submit', breakpoint),
    fact(3, 'runtime.approval.resolved', halt, { approvalId: 'b1', decision: 'expired' }),
    fact(3, 'runtime.request.completed', halt, {
      output: null,
      halted: true,
      haltedBy: 'ann (team)',
      reason: 'enough',
    }),
  ];
  expect(linesOf(events)).toEqual([
    '          ← the request was submitted as a fork of r0 (`reins why r0`)',
    '12:00:02  waiting  for breakpoint: Ship it?',
    '          ← ann (team) halted the request',
    '12:00:03  request  halted by ann (team) after 2.0 s: enough',
  ]);
});

test('an assignment names who gave which code and why, after the attempts that the run refused', () => {
  const assign = 'r1.command.run.assign.a1';
  const extra = { process: 'process/main.ts#process', corrected: true, requested_by: 'ann (team)', reason: 'a typo' };
  const events = [
    fact(1, 'runtime.request.started', 'r1.submit'),
    fact(2, 'runtime.request.waiting', 'r1.submit', { effectId: 'r1', reason: 'operator', message: 'it broke' }),
    fact(4, 'runtime.request.resumed', assign, { effectId: 'r1' }),
    fact(4.5, 'control.directive.emitted', assign, { directive: 'continue', reason: 'a typo', extra }),
    fact(5, 'runtime.request.completed', assign),
  ];
  const problem = { code: 'replay_nondeterminism', message: 'the new code does not match' };
  const chain = causalChain(events, events.at(-1) as ListedEvent);
  expect(chainLines(events, chain, { refusals: [{ time: at(3), requestedBy: 'bob (team)', problem }] })).toEqual([
    '          ← the request was submitted',
    '12:00:02  waiting  for operator: it broke',
    '          ← an assignment by bob (team) was refused: replay_nondeterminism: the new code does not match',
    '          ← ann (team) assigned corrected code of process/main.ts#process (a typo); the run accepted it',
    '12:00:05  request  completed (4.0 s)',
  ]);
  const waiting = causalChain(events, events[1] as ListedEvent);
  expect(chainLines(events, waiting, { refusals: [{ time: at(3), problem }] }).at(-1)).toContain('was refused');
});
