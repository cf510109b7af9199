import { describe, expect, test } from '@jest/globals';
import { type EventOf, problemsOfEvent } from '@reins/contracts';
import { scopeKeys } from '../queries/state-rows.ts';
import type { StateRows } from '../read-model.ts';
import { recordedRun } from '../testing/recorded-run.ts';
import type { LogEvent, LogItem } from './log-event.ts';
import { project, projectBatch } from './project.ts';

const asItems = (events: readonly LogEvent[]): LogItem[] => events.map((event) => ({ event }));
const NONE_LATE = new Map<string, LogEvent[]>();
const run = recordedRun();
const whole = project(asItems(run));

test('the recorded run contains only valid events', () => {
  expect(run.flatMap(({ body }) => problemsOfEvent(body))).toEqual([]);
});

describe('a completed run', () => {
  test('is one request with its outcome, input and final tree', () => {
    expect(whole.requests).toEqual([
      expect.objectContaining({
        request_id: '01KAJ00000000000000000RUN1',
        status: 'completed',
        revision: 'a'.repeat(64),
        tree: 'b'.repeat(64),
        input: { input: 'hello' },
        output: { text: 'done' },
        waiting_reason: null,
        started_at: run[0]?.time,
        ended_at: run.at(-2)?.time,
      }),
    ]);
  });

  test('names the harness of each stage, as its directives do', () => {
    const directed = run.flatMap(({ body }) =>
      body.type === 'control.directive.emitted' && body.targetType === 'execution_node'
        ? [{ stage: body.extra?.stage, attempt: body.extra?.attempt, runtime_id: body.extra?.runtime_id }]
        : [],
    );
    const stageRuns = whole.stage_runs.map(({ stage, attempt, runtime_id }) => ({ stage, attempt, runtime_id }));
    expect(stageRuns).toEqual(directed);
    expect(stageRuns).toHaveLength(4);
  });

  test('has the result of each stage run', () => {
    const [interview, first, second, evaluate] = whole.stage_runs;
    expect(interview).toMatchObject({
      status: 'completed',
      directive: 'continue',
      runtime_source: 'stage',
      host_id: 'host-1',
    });
    expect(first).toMatchObject({ status: 'failed', outcome: 'unknown', retryable: true, tree: null });
    expect(second).toMatchObject({
      status: 'completed',
      directive: 'retry',
      question: null,
      input_tokens: 100,
      cost_usd: 0.5,
    });
    expect(second?.timings).toEqual({ spawn: 5, run: 9 });
    expect(evaluate).toMatchObject({ verdict: { outcome: 'pass', reasons: ['works'] }, output: null });
  });

  test('has a session, an approval, an artifact, usage and all events', () => {
    expect(whole.sessions).toEqual([expect.objectContaining({ session_id: 's1', tree: 'b'.repeat(64) })]);
    expect(whole.approvals).toEqual([
      expect.objectContaining({ approval_id: 'a1', status: 'approved', decided_by: 'ann' }),
    ]);
    expect(whole.artifacts).toEqual([expect.objectContaining({ artifact_id: 'art1', path: 'out.txt', bytes: 3 })]);
    expect(whole.usage).toEqual([expect.objectContaining({ stage: 'execute', input_tokens: 100, output_tokens: 20 })]);
    expect(whole.events.map((row) => row.ce_id)).toEqual(run.map(({ id }) => id));
  });
});

describe('a fenced attempt', () => {
  const failed = run.find(({ body }) => body.type === 'runtime.stage.failed') as LogEvent;
  const signal = (attempt: number): LogEvent => {
    const { requestId, sessionId, agentId, workspaceId, effectId, stage } =
      failed.body as EventOf<'runtime.stage.failed'>;
    const head = { requestId, sessionId, agentId, workspaceId, effectId, stage };
    const body = {
      type: 'runtime.adapter.event',
      ...head,
      attempt,
      seq: 1,
      event: { adapter: 'pi', phase: 'agent.tool.start' },
    };
    return { ...failed, id: `signal-${attempt}`, body: body as LogEvent['body'] };
  };
  const viewsOf = (events: readonly LogEvent[], late: LogEvent): number =>
    project(asItems([...events, late])).trace_views.filter(({ ce_id }) => ce_id === late.id).length;

  test('has no signals after its end, or after the next attempt was requested', () => {
    const before = run.slice(0, run.indexOf(failed));
    expect(viewsOf(before, signal(1))).toBeGreaterThan(0);
    expect(viewsOf([...before, failed], signal(1))).toBe(0);
    expect(viewsOf(run, signal(1))).toBe(0);
    expect(project(asItems([...run, signal(1)]))).toEqual(whole);
  });
});

test('a stage run has its progress until it starts or ends', () => {
  const row = (events: readonly LogEvent[]) => project(events.map((event) => ({ event }))).stage_runs.at(0)?.progress;
  const started = run.find(({ body }) => body.type === 'runtime.stage.started') as LogEvent;
  const end = run.find(({ body }) => body.type === 'runtime.stage.completed') as LogEvent;
  const label = 'waits for a model call';
  const body = { ...started.body, type: 'runtime.stage.progress', label } as LogEvent['body'];
  const until = (event: LogEvent) => run.slice(0, run.indexOf(event));
  expect(row([...until(started), { ...started, id: 'p1', body }])).toBe(label);
  expect(row([...until(started), { ...started, id: 'p1', body }, started])).toBeNull();
  expect(row([...until(end), { ...end, id: 'p2', body }])).toBe(label);
  expect(row([...until(end), { ...end, id: 'p2', body }, end])).toBeNull();
});

describe('a stage that continues after its question', () => {
  const question = run.find(({ body }) => body.type === 'runtime.stage.waiting') as LogEvent;
  const asked = run.indexOf(question);
  const { effectId } = question.body as EventOf<'runtime.stage.waiting'>;
  const requests = run.filter(({ body }) => body.type === 'runtime.stage.requested' && body.effectId === effectId);
  const last = requests.at(-1) as LogEvent;

  test('has the usage before its question, too', () => {
    const usage = { inputTokens: 30, outputTokens: 4, costUsd: 0.25 };
    const body = { ...question.body, usage } as LogEvent['body'];
    const events = run.map((event) => (event === question ? { ...event, body } : event));
    const of = project(asItems(events)).stage_runs.find(({ attempt }) => attempt === 2);
    expect(of).toMatchObject({ input_tokens: 130, cached_input_tokens: 10, output_tokens: 24, cost_usd: 0.75 });
  });

  test.each([
    [{ inputTokens: 30, outputTokens: 4 }, 0.5],
    [{ inputTokens: 30, outputTokens: 4, costUsd: 0.25 }, undefined],
  ])('has no cost if the cost of one part is unknown (%p, then %p)', (usage, costUsd) => {
    const events = run.map((event): LogEvent => {
      if (event === question) return { ...event, body: { ...question.body, usage } as LogEvent['body'] };
      const { body } = event;
      if (body.type !== 'runtime.stage.completed' || body.effectId !== effectId || !body.usage) return event;
      const { costUsd: _, ...tokens } = body.usage;
      return { ...event, body: { ...body, usage: { ...tokens, ...(costUsd && { costUsd }) } } };
    });
    const of = project(asItems(events)).stage_runs.find(({ attempt }) => attempt === 2);
    expect(of).toMatchObject({ input_tokens: 130, cost_usd: null });
  });

  test('stays one stage run, with its first request', () => {
    const resume = { number: 1, answer: 'yes', signals: 2 };
    const again = {
      ...last,
      id: 'again',
      version: run.length,
      body: { ...last.body, tree: 'e'.repeat(64), resume } as LogEvent['body'],
    };
    const { stage_runs } = project(asItems([...run.slice(0, asked + 1), again]));
    const { attempt } = last.body as EventOf<'runtime.stage.requested'>;
    const row = stage_runs.find((each) => each.effect_id === effectId && each.attempt === attempt);
    expect(row).toMatchObject({ status: 'requested', question: null, requested_at: last.time });
    expect(row?.input_tree).not.toBe('e'.repeat(64));
  });
});

describe('a running request', () => {
  const until = (type: string): StateRows => {
    const end = run.findIndex(({ body }) => body.type === type);
    return project(asItems(run.slice(0, end + 1)));
  };

  test('shows a question on the request and on the attempt that asked it', () => {
    const rows = until('runtime.request.waiting');
    const wait = { waiting_reason: 'user', waiting_effect_id: 'e5', waiting_question_number: 1 };
    expect(rows.requests[0]).toMatchObject({ status: 'waiting', ...wait });
    expect(rows.stage_runs.at(-1)).toMatchObject({
      attempt: 2,
      status: 'waiting',
      question: { text: 'Which colour?' },
    });
  });

  test('shows both as running after the answer', () => {
    const rows = until('runtime.request.resumed');
    expect(rows.requests[0]).toMatchObject({ status: 'running', waiting_reason: null, waiting_question_number: null });
    expect(rows.stage_runs.at(-1)).toMatchObject({ attempt: 2, status: 'running', question: null });
  });

  test('does not wait for the question of a cancelled stage', () => {
    const asked = run.findIndex(({ body }) => body.type === 'runtime.request.waiting');
    const { body, ...head } = run[asked] as LogEvent;
    const cancelled = { ...body, type: 'runtime.stage.cancelled', stage: 'execute', runtimeId: 'pi', attempt: 2 };
    const events = [
      ...run.slice(0, asked + 1),
      { ...head, id: 'c', seq: head.seq + 1, version: run.length, body: cancelled } as LogEvent,
    ];
    expect(project(asItems(events)).requests[0]).toMatchObject({ status: 'running', waiting_effect_id: null });
  });

  test('waits for the remaining one of two waits', () => {
    const asked = run.findIndex(({ body }) => body.type === 'runtime.request.waiting');
    const { body, ...head } = run[asked] as LogEvent;
    const more = [
      { ...body, reason: 'signal', effectId: 's1' },
      { ...body, type: 'runtime.request.resumed', effectId: 's1' },
      body,
    ].map((each, n) => ({ ...head, id: `m${n}`, seq: head.seq + 1 + n, body: each }) as LogEvent);
    const [row] = project(asItems([...run.slice(0, asked + 1), ...more])).requests;
    expect(row).toMatchObject({ status: 'waiting', waiting_reason: 'user', waiting_effect_id: 'e5' });
  });
});

describe('everything that a running request waits for', () => {
  const [started] = run as [LogEvent];
  /** The row of the request after these facts. */
  const after = (...bodies: readonly object[]) => {
    const facts = bodies.map(
      (fields, at) =>
        ({
          ...started,
          id: `w${at}`,
          seq: started.seq + 1 + at,
          version: 2 + at,
          body: { ...started.body, ...fields },
        }) as LogEvent,
    );
    const row = project(asItems([started, ...facts])).requests[0];
    const waits = (row?.waits ?? []) as { readonly reason: string; readonly effectId: string }[];
    return { row, waits: waits.map(({ reason, effectId }) => `${reason} ${effectId}`) };
  };
  const waiting = (reason: string, effectId: string, more: object = {}) => ({
    type: 'runtime.request.waiting',
    reason,
    effectId,
    ...more,
  });
  const resumed = (effectId: string) => ({ type: 'runtime.request.resumed', effectId });
  const task = (effectId: string, kind = 'check') => ({
    type: 'runtime.task.requested',
    effectId,
    attempt: 1,
    kind,
    taskId: effectId,
    label: `do ${effectId}`,
  });
  const done = (effectId: string) => ({
    type: 'runtime.task.completed',
    effectId,
    kind: 'check',
    taskId: effectId,
    value: 1,
  });

  test('names a task with its title', () => {
    const titled = { ...task('t1'), definition: { kind: 'node', title: 'Review the release notes' } };
    expect(after(titled).row).toMatchObject({ waiting_message: 'do t1: Review the release notes' });
    expect(after({ ...titled, definition: { title: 'do t1' } }).row).toMatchObject({ waiting_message: 'do t1' });
  });

  test('names who paused the run, also after another wait has ended', () => {
    const pause = waiting('operator', started.body.requestId, { message: 'lunch' });
    const directive = { type: 'control.directive.emitted', directive: 'wait', extra: { requested_by: 'ann' } };
    const { row } = after(waiting('signal', 's1'), pause, directive, resumed('s1'), pause);
    expect(row?.waits).toMatchObject([{ reason: 'operator', message: 'lunch', pausedBy: 'ann' }]);
  });

  test('has the fields of the first 50 waits only, and ends each of them', () => {
    const tasks = Array.from({ length: 60 }, (_, at) => `t${at}`);
    const { row, waits } = after(...tasks.map((id) => task(id)));
    expect(waits).toHaveLength(60);
    const described = ((row?.waits ?? []) as { readonly message?: string }[]).filter(
      ({ message }) => message !== undefined,
    );
    expect(described).toHaveLength(50);
    expect(after(...tasks.map((id) => task(id)), ...tasks.map(done)).waits).toEqual([]);
  });

  test('does not contain kept signals, which end when the process waits for one of the name', () => {
    const kept = (signal: string) => ({ type: 'runtime.signal.kept', signal });
    const signals = after(kept('payed'), kept('go'), kept('payed'), waiting('signal', 's1', { signal: 'go' })).row;
    expect(signals?.kept_signals).toEqual([{ name: 'payed', count: 2, since: started.time }]);
    expect(after(kept('go'), waiting('signal', 's1', { signal: 'go' })).row?.kept_signals).toBeNull();
    const many = after(...Array.from({ length: 30 }, (_, at) => kept(`s${at}`))).row;
    expect(many?.kept_signals).toHaveLength(20);
  });

  test('contains its tasks, which make it wait after the end of its child run', () => {
    const both = after(task('t1'), task('t2'), waiting('child', 'c1'));
    expect(both.waits).toEqual(['task t1', 'task t2', 'child c1']);
    expect(both.row).toMatchObject({ status: 'waiting', waiting_reason: 'child' });
    const { row, waits } = after(task('t1'), task('t2'), waiting('child', 'c1'), resumed('c1'), done('t1'));
    expect(waits).toEqual(['task t2']);
    expect(row).toMatchObject({
      status: 'waiting',
      waiting_reason: 'task',
      waiting_effect_id: 't2',
      waiting_message: 'do t2',
    });
    expect(after(task('t1'), done('t1')).row).toMatchObject({ status: 'running', waiting_reason: null, waits: null });
  });

  test('contains each wait once, also if it is published again', () => {
    const waits = [waiting('signal', 's1'), waiting('timer', 'z1'), resumed('z1'), waiting('signal', 's1')];
    expect(after(...waits).waits).toEqual(['signal s1']);
  });

  test('does not contain hooks, which are refused at once', () => {
    expect(after(task('before', 'hook')).row).toMatchObject({ status: 'running', waits: null });
  });

  test('has the process of an error until the run continues', () => {
    const error = { code: 'process_failed', message: 'it broke' };
    const broken = waiting('operator', 'e9', { error, process: 'process/main.ts' });
    expect(after(broken).row?.waits).toEqual([expect.objectContaining({ process: 'process/main.ts', error })]);
    expect(after(broken, resumed(started.body.requestId)).waits).toEqual([]);
    expect(after(broken, task('t1')).waits).toEqual(['task t1']);
    const paused = waiting('operator', started.body.requestId);
    expect(after(paused, waiting('user', 'q1')).waits).toEqual([`operator ${started.body.requestId}`, 'user q1']);
  });

  test('is empty after the end', () => {
    const end = { type: 'runtime.request.cancelled' };
    expect(after(task('t1'), waiting('signal', 's1'), end).row).toMatchObject({ status: 'cancelled', waits: null });
  });
});

test('a child run and its stages have the parent, and the request that both belong to', () => {
  const parent = {
    requestId: 'P',
    sessionId: 's1',
    agentId: 'main',
    effectId: 'e9',
    attempt: 1,
    depth: 2,
    rootRequestId: 'TOP',
  };
  const child = project(asItems(recordedRun({ requestId: 'C', parent })));
  const columns = { parent_request_id: 'P', root_request_id: 'TOP' };
  expect(child.requests).toEqual([expect.objectContaining({ ...columns, parent_effect_id: 'e9' })]);
  expect(child.stage_runs).toHaveLength(4);
  for (const row of child.stage_runs) expect(row).toMatchObject(columns);
  const { rootRequestId: _, ...older } = parent;
  const [row] = project(asItems(recordedRun({ requestId: 'C', parent: older }))).requests;
  expect(row).toMatchObject({ parent_request_id: 'P', root_request_id: 'P' });
  expect(whole.stage_runs[0]).toMatchObject({ parent_request_id: null, root_request_id: null });
});

test('a child run of an earlier version has the parent that the fact of its parent names', () => {
  const [first] = run as [LogEvent];
  const started = (parent: string, child: string): LogEvent => {
    const body = {
      ...first.body,
      type: 'runtime.child.started',
      requestId: parent,
      effectId: 'e9',
      childRequestId: child,
    };
    return { ...first, id: `${parent}.${child}`, seq: 900, body: body as LogEvent['body'] };
  };
  const top = first.body.requestId;
  const earlier = asItems([first, ...recordedRun({ requestId: 'C' }), ...recordedRun({ requestId: 'D' })]);
  const facts = asItems([started(top, 'C'), started('C', 'D'), started(top, 'unknown')]);
  const after = projectBatch(project(earlier), facts, NONE_LATE).changes;
  const columns = ({ request_id, parent_request_id, root_request_id }: StateRows['requests' | 'stage_runs'][number]) =>
    [request_id, parent_request_id, root_request_id].join(' ');
  const linked = [`C ${top} ${top}`, `D C ${top}`];
  expect(after.requests.map(columns)).toEqual(linked);
  expect([...new Set(after.stage_runs.map(columns))]).toEqual(linked);
  expect(projectBatch(after, asItems([started('other', 'C')]), NONE_LATE).changes.requests).toEqual([]);
  expect(scopeKeys(facts, { scope: 'request' }).flat()).toEqual([top, 'C', 'D', 'unknown']);
  const { requests } = project([...earlier, ...facts]);
  expect(requests.map(columns)).toEqual([`${top}  `, ...linked]);
});

test('an ended request never changes', () => {
  const late = {
    ...(run[0] as LogEvent),
    id: 'late',
    seq: 999,
    body: { ...run[0]?.body, type: 'runtime.request.cancelled' },
  } as LogEvent;
  expect(projectBatch(whole, asItems([late]), NONE_LATE).changes.requests).toEqual([]);
});

test('an unreadable message is stored', () => {
  const unreadable = {
    seq: 7,
    subject: 'runtime.x',
    time: '2026-01-01T00:00:00.000Z',
    problem: { code: 'message_invalid' as const, message: 'no' },
  };
  expect(project([{ unreadable }], 3)).toMatchObject({
    events: [],
    unreadable_messages: [{ generation: 3, seq: 7, code: 'message_invalid', ce_id: null }],
  });
});

test('events without a request create no request', () => {
  const [first] = run as [LogEvent];
  const body = {
    ...first.body,
    type: 'runtime.harness.available',
    requestId: '_',
    runtimeId: 'pi',
    hostId: 'h',
    version: '1',
  };
  const changes = project([{ event: { ...first, body: body as LogEvent['body'] } }]);
  expect(changes).toMatchObject({
    requests: [],
    sessions: [],
    stage_runs: [],
    events: [{ type: 'runtime.harness.available' }],
  });
});
