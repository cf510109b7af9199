import { expect, test } from '@jest/globals';
import type { JsonObject } from '@reins/contracts';
import { durationText, RunLines } from './run-lines.ts';

const START = new Date(2026, 0, 31, 12, 0, 0).getTime();
const stage = (type: string, effectId: string, fields: JsonObject = {}): JsonObject => ({
  type: `runtime.stage.${type}`,
  requestId: 'r1',
  effectId,
  stage: 'execute',
  runtimeId: 'pi',
  attempt: 1,
  ...fields,
});
const directive = (name: string, effect_id: string, attempt = 1): JsonObject => ({
  type: 'control.directive.emitted',
  requestId: 'r1',
  directive: name,
  extra: { stage: 'execute', runtime_id: 'pi', runtime_source: 'default', effect_id, attempt },
});

/** The lines of events that are one second apart. */
function linesOf(...events: JsonObject[]): (string | undefined)[] {
  const lines = new RunLines();
  return events.map((event, index) => lines.line(event, new Date(START + index * 1000)));
}

test('a stage has a clock, its iteration, its attempt and its duration', () => {
  const limits = { maxAttempts: 3 };
  const started = { type: 'runtime.request.started', requestId: 'r1' };
  const lines = linesOf(
    started,
    stage('requested', 'e1', { limits }),
    directive('continue', 'e1'),
    stage('started', 'e1'),
    stage('completed', 'e1'),
    stage('requested', 'e2', { limits }),
    directive('retry', 'e2'),
    stage('started', 'e2'),
    stage('requested', 'e2', { limits, attempt: 2 }),
    directive('retry', 'e2', 2),
    { type: 'runtime.request.completed', requestId: 'r1', output: null },
  );
  expect(lines.filter((line) => line !== undefined)).toEqual([
    '12:00:00  request r1 started',
    '12:00:02  stage    execute → pi (default)',
    '12:00:03  stage    execute runs on pi, attempt 1',
    '12:00:04  stage    execute completed (1.0 s)',
    '12:00:06  stage    execute → pi (default), iteration 2',
    '12:00:07  stage    execute runs on pi, attempt 1',
    '12:00:09  stage    execute → pi (default), iteration 2, retry: attempt 2 of 3',
    '12:00:10  request  completed (10 s)',
  ]);
});

test('a stage that runs says what it waits for; a preparation says it only when nothing else happens', () => {
  const label = 'waits for a model call to p/m, no response for 10 s';
  const lines = new RunLines();
  const progress = stage('progress', 'e1', { label });
  expect(lines.line(progress, new Date(START))).toBeUndefined();
  lines.line(stage('started', 'e1'), new Date(START));
  expect(lines.line(progress, new Date(START))).toBe(`12:00:00  stage    execute ${label}`);
  expect(lines.working(new Date(START + 2000))).toBe(`12:00:02  …        stage execute ${label} (2.0 s)`);
});

test('a suspended stage has the duration since its first start in the attempt, as in the table', () => {
  const again = stage('requested', 'e1', { resume: {} });
  const lines = linesOf(stage('started', 'e1'), again, stage('started', 'e1'), stage('completed', 'e1'));
  expect(lines.at(-1)).toMatch(/completed \(3\.0 s\)$/);
  const retried = linesOf(
    stage('started', 'e1'),
    stage('started', 'e1', { attempt: 2 }),
    stage('failed', 'e1', { attempt: 2 }),
  );
  expect(retried.at(-1)).toMatch(/failed after 1\.0 s: $/);
});

test('a duration comes before an error or a reason, which may be sentences', () => {
  const error = {
    code: 'process_failed',
    message: 'ctx.breakpont is not a function',
    hint: 'Did you mean breakpoint?',
  };
  const at = { requestId: 'r1' };
  const ended = (body: JsonObject) => linesOf({ type: 'runtime.request.started', ...at }, { ...at, ...body }).at(-1);
  expect(ended({ type: 'runtime.request.failed', error })?.split('\n')).toEqual([
    '12:00:01  request  failed after 1.0 s: process_failed: ctx.breakpont is not a function',
    expect.stringMatching(/^ +Did you mean breakpoint\?$/),
  ]);
  expect(ended({ type: 'runtime.request.cancelled', cancelledBy: 'ann', reason: 'Not now.' })).toBe(
    '12:00:01  request  cancelled by ann after 1.0 s: Not now.',
  );
});

test('directives for the whole run are not shown', () => {
  const end = (name: string) => ({ type: 'control.directive.emitted', requestId: 'r1', directive: name, reason: 'x' });
  expect(linesOf(end('cancel'), end('converge'), end('continue'), end('wait'))).toEqual(Array(4).fill(undefined));
});

test('a wait that has no words of its own shows those of its directive', () => {
  const waits = { type: 'runtime.request.waiting', requestId: 'r1', effectId: 'r1', reason: 'operator' };
  const wait = { type: 'control.directive.emitted', requestId: 'r1', directive: 'wait', reason: 'it broke' };
  expect(linesOf(waits, wait).at(-1)).toMatch(/it broke$/);
  expect(linesOf({ ...waits, message: 'it broke' }, wait).at(-1)).toBeUndefined();
});

test('a breakpoint shows the data of its question; the past has no commands', () => {
  const payload = { question: 'Ship it?', failed: ['licences'] };
  const subject = { kind: 'breakpoint', detail: { payload } };
  const events = [
    { type: 'runtime.approval.requested', requestId: 'r1', effectId: 'e1', approvalId: 'e1', subject },
    { type: 'runtime.request.waiting', requestId: 'r1', effectId: 'e1', reason: 'breakpoint', message: 'Ship it?' },
  ];
  const shown = ['12:00:01  waiting  for breakpoint: Ship it?', '"failed": [', '"licences"', ']'];
  const trimmed = (lines: (string | undefined)[]) =>
    lines
      .at(-1)
      ?.split('\n')
      .map((line) => line.trim());
  expect(trimmed(linesOf(...events))).toEqual([
    ...shown,
    'reins approvals approve r1 e1',
    "reins approvals deny r1 e1 --comment '<why>'",
  ]);
  const past = new RunLines({ isPast: true });
  expect(trimmed(events.map((event) => past.line(event, new Date(START + 1000))))).toEqual(shown);
});

test('names the tasks that wait for results, also while the run waits for something else', () => {
  const lines = new RunLines();
  const at = new Date(START);
  const task = (effectId: string, kind = 'check') => ({
    type: 'runtime.task.requested',
    effectId,
    kind,
    taskId: effectId,
  });
  for (const event of [task('tests'), task('licences')]) lines.line(event, at);
  lines.line({ type: 'runtime.request.waiting', effectId: 'c1', reason: 'child' }, at);
  expect(lines.working(at)).toBe('12:00:00  …        tasks tests, licences wait for their results (0.0 s)');
  lines.line({ type: 'runtime.task.completed', effectId: 'tests' }, at);
  expect(lines.working(at)).toBe('12:00:00  …        task licences waits for its result (0.0 s)');
  lines.line({ type: 'runtime.task.completed', effectId: 'licences' }, at);
  lines.line(task('before', 'hook'), at);
  expect(lines.working(at)).toBeUndefined();
});

test('a preparation names its stage', () => {
  const requested = { type: 'runtime.prepare.requested', requestId: 'r1', effectId: 'p1', stage: 'evaluate' };
  const prepared = {
    type: 'runtime.prepare.completed',
    requestId: 'r1',
    effectId: 'p1',
    fingerprint: 'abc',
    warnings: [],
  };
  expect(linesOf(requested, prepared).at(-1)).toBe('12:00:01  prepared evaluate (abc)');
});

test('each warning of the workspace appears once, also if every stage is prepared with it', () => {
  const warning = (message: string) => ({ code: 'skill_invalid', message, path: 'skills/a/SKILL.md' });
  const prepared = (effectId: string) => [
    { type: 'runtime.prepare.requested', requestId: 'r1', effectId, stage: 'execute' },
    { type: 'runtime.prepare.completed', effectId, fingerprint: 'abc', warnings: [warning('known'), warning('new')] },
  ];
  const lines = new RunLines({}, [{ code: 'skill_invalid', message: 'known' }]);
  const shown = [...prepared('p1'), ...prepared('p2')].map((event) => lines.line(event, new Date(START)));
  expect(shown.map((line) => line?.split('\n').map((one) => one.trim()))).toEqual([
    undefined,
    ['12:00:00  prepared execute (abc)', 'warning skill_invalid: new (skills/a/SKILL.md)'],
    undefined,
    ['12:00:00  prepared execute (abc)'],
  ]);
});

test('an unavailable server appears once for a request and its child runs, and again if it lacks other tools', () => {
  const unavailable = (...missingToolIds: string[]) => ({
    type: 'runtime.mcp.server.unavailable',
    serverId: 'alerts',
    reason: 'exited (code 1)',
    missingToolIds,
  });
  const shared = { unavailable: new Set<string>() };
  const [request, child] = [new RunLines(shared), new RunLines(shared, [], 1)];
  const at = new Date(START);
  expect([
    request.line(unavailable('alerts.a'), at),
    request.line(unavailable('alerts.a'), at),
    child.line(unavailable('alerts.a'), at),
    child.line(unavailable('alerts.a', 'alerts.b'), at),
  ]).toEqual([
    '12:00:00  mcp      alerts unavailable (alerts.a): exited (code 1)',
    undefined,
    undefined,
    '12:00:00    mcp      alerts unavailable (alerts.a, alerts.b): exited (code 1)',
  ]);
});

test('a signal that ends a wait has its name', () => {
  const lines = new RunLines({ isPast: true });
  const at = new Date(START);
  lines.line({ type: 'runtime.request.waiting', reason: 'signal', effectId: 'e1', signal: 'go' }, at);
  expect(lines.line({ type: 'runtime.request.resumed', effectId: 'e1' }, at)).toBe(
    '12:00:00  resumed  signal go arrived',
  );
  expect(lines.line({ type: 'runtime.request.resumed', effectId: 'r1' }, at)).toBe('12:00:00  resumed');
});

test('a fork says which stages it shares, without their durations, and counts them as iterations', () => {
  const extra = { stage: 'execute', runtime_id: 'pi', runtime_source: 'stage', effect_id: 'e2', attempt: 1 };
  const lines = linesOf(
    { type: 'runtime.prepare.completed', requestId: 'r2', effectId: 'p1', fingerprint: 'abc', warnings: [] },
    stage('started', 'e1', { runtimeSource: 'default' }),
    stage('completed', 'e1'),
    stage('requested', 'e2'),
    { type: 'control.directive.emitted', requestId: 'r1', directive: 'retry', extra },
    stage('started', 'e2'),
    stage('completed', 'e2'),
  );
  expect(lines).toEqual([
    undefined,
    undefined,
    '12:00:02  stage    execute completed (shared with the original request)',
    undefined,
    '12:00:04  stage    execute → pi (stage), iteration 2',
    '12:00:05  stage    execute runs on pi, attempt 1',
    '12:00:06  stage    execute completed (1.0 s)',
  ]);
});

test('says what the request is doing, while it does something', () => {
  const lines = new RunLines();
  const at = (seconds: number) => new Date(START + seconds * 1000);
  lines.line(stage('requested', 'e1'), at(0));
  expect(lines.working(at(2))).toBe('12:00:02  …        stage execute waits for a free host that offers pi (2.0 s)');
  expect(lines.queuedEffect).toBe('e1');
  const waits = '12:00:02  …        stage execute waits for a free host that offers pi, position 3';
  expect(lines.working(at(2), { position: 3, estimatedWaitMs: 40_000 })).toBe(`${waits}, about 40 s (2.0 s)`);
  expect(lines.working(at(2), { position: 3 })).toBe(`${waits}, time unknown (2.0 s)`);
  expect(lines.working(at(2), { position: 3, slots: 0 })).toBe(`${waits}, no host offers the runtime now (2.0 s)`);
  lines.line(stage('claimed', 'e1', { hostId: 'h1' }), at(2));
  expect(lines.working(at(3))).toBe(
    '12:00:03  …        stage execute is being prepared by h1: files, servers and executor (1.0 s)',
  );
  const label = 'installing npm:notes@1.2.3; starting MCP servers crm';
  expect(lines.line(stage('progress', 'e1', { label }), at(3))).toBeUndefined();
  expect(lines.working(at(5))).toBe(`12:00:05  …        stage execute is being prepared: ${label} (2.0 s)`);
  lines.line(stage('started', 'e1'), at(3));
  expect(lines.queuedEffect).toBeUndefined();
  expect(lines.working(at(8))).toBe('12:00:08  …        stage execute runs on pi (5.0 s)');
  lines.line(stage('completed', 'e1'), at(9));
  expect(lines.working(at(10))).toBeUndefined();
});

test.each([
  [400, '0.4 s'],
  [12_000, '12 s'],
  [185_000, '3 min 5 s'],
  [7_800_000, '2 h 10 min'],
])('%d ms is %s', (ms, text) => {
  expect(durationText(ms)).toBe(text);
});
