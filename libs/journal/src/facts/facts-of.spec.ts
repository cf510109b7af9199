import { describe, expect, test } from '@jest/globals';
import type { EntryType } from '@reins/contracts';
import { type EntryDraft } from '../entries/entry.ts';
import {
  ERROR,
  emissions,
  factsOfLast,
  failedEffect,
  inShort,
  requested,
  resolved,
  stage,
  USAGE,
} from '../testing/facts.ts';
import { BLOB, CREATED, draft, EXAMPLES, JournalBuilder, RUN, SHA } from '../testing/journals.ts';

describe('the facts of an entry', () => {
  test('start and end of the run', () => {
    expect(inShort(factsOfLast())).toEqual(['runtime.request.started']);
    expect(inShort(factsOfLast(draft('RUN_COMPLETED', { output: 1 })))).toEqual([
      'runtime.request.completed',
      'execution converge!',
    ]);
    expect(inShort(factsOfLast(draft('RUN_FAILED', { error: ERROR })))).toEqual([
      'runtime.request.failed',
      'execution cancel!',
    ]);
    expect(inShort(factsOfLast(draft('RUN_CANCELLED', { reason: 'r' })))).toEqual([
      'runtime.request.cancelled',
      'execution cancel!',
    ]);
    const cancel = draft('RUN_CANCEL_REQUESTED', { idempotencyKey: 'c', requestedBy: 'ann' });
    expect(factsOfLast(cancel, draft('RUN_CANCELLED', {}))[0]).toMatchObject({ cancelledBy: 'ann' });
    expect(factsOfLast(draft('RUN_HALTED', { requestedBy: 'ann' }))[0]).toMatchObject({ haltedBy: 'ann' });
    const halted = factsOfLast(draft('RUN_HALTED', { reason: 'r', payload: 2 }));
    expect(halted[0]).toMatchObject({ type: 'runtime.request.completed', halted: true, output: 2 });
    expect(inShort(halted)).toEqual(['runtime.request.completed', 'execution converge!']);
  });

  test('the directive of a failed run differs from that of a cancelled one', () => {
    expect(factsOfLast(draft('RUN_FAILED', { error: ERROR }))[1]).toMatchObject({
      extra: { lifecycle_status: 'failed' },
      targetId: RUN.runId,
    });
    expect(factsOfLast(draft('RUN_CANCELLED', {}))[1]).not.toHaveProperty('extra');
  });

  test.each([
    'PROCESS_ASSIGNED',
    'PROCESS_CODE_CHANGED',
    'PROCESS_LOG',
    'EFFECT_PROGRESS',
    'RUN_CANCEL_REQUESTED',
    'RUN_ARCHIVED',
  ] as const)('%s has no facts', (type) => {
    const withoutFacts: Partial<Record<EntryType, EntryDraft[]>> = {
      PROCESS_ASSIGNED: [draft('PROCESS_ASSIGNED', { process: { id: 'p', codeHash: 'c' } })],
      PROCESS_CODE_CHANGED: [draft('PROCESS_CODE_CHANGED', { from: 'a', to: 'b' })],
      PROCESS_LOG: [draft('PROCESS_LOG', { message: 1 })],
      EFFECT_PROGRESS: [requested('task'), draft('EFFECT_PROGRESS', { effectId: 'e1', label: 'half' })],
      RUN_CANCEL_REQUESTED: [draft('RUN_CANCEL_REQUESTED', { idempotencyKey: 'k' })],
      RUN_ARCHIVED: archived(),
    };
    expect(factsOfLast(...(withoutFacts[type] as EntryDraft[]))).toEqual([]);
  });

  test('cost and budget', () => {
    const cost = factsOfLast(
      requested('stage'),
      draft('COST_TRACKED', { effectId: 'e1', stage: 'execute', runtimeId: 'pi', usage: USAGE }),
    );
    expect(cost).toMatchObject([
      { type: 'runtime.usage.recorded', stage: 'execute', inputTokens: 5, cachedInputTokens: 0 },
    ]);
    const budget = factsOfLast(draft('BUDGET_EXCEEDED', { budget: 'cost', limit: 1, used: 2, action: 'pause' }));
    expect(inShort(budget)).toEqual(['runtime.budget.exceeded']);
  });

  test.each([
    ['plan', ['runtime.plan.requested']],
    ['prepare', ['runtime.prepare.requested']],
    ['stage', ['runtime.stage.requested', 'execution_node continue']],
    ['memory.recall', ['runtime.memory.recall.requested']],
    ['task', ['runtime.task.requested']],
    ['tool.direct', ['runtime.tool.direct.requested']],
    ['workflow', ['runtime.workflow.requested']],
    ['child', ['runtime.request.waiting', 'execution wait']],
    ['breakpoint', ['runtime.approval.requested', 'runtime.request.waiting', 'execution wait']],
    ['approval', ['runtime.approval.requested', 'runtime.request.waiting', 'execution wait']],
    ['sleep', ['runtime.request.waiting', 'execution wait']],
    ['signal', ['runtime.request.waiting', 'execution wait']],
    ['step', []],
  ] as const)('the request of a %s', (kind, expected) => {
    expect(inShort(factsOfLast(requested(kind)))).toEqual(expected);
  });

  test.each([
    ['plan', ['runtime.plan.compiled'], ['runtime.plan.rejected']],
    ['prepare', ['runtime.prepare.completed'], ['runtime.prepare.failed']],
    ['stage', ['runtime.stage.completed'], ['runtime.stage.failed']],
    ['memory.recall', ['runtime.memory.recall.completed'], ['runtime.memory.recall.failed']],
    ['task', ['runtime.task.completed'], ['runtime.task.failed']],
    ['tool.direct', ['runtime.tool.direct.completed'], ['runtime.tool.direct.failed']],
    ['workflow', ['runtime.workflow.completed'], ['runtime.workflow.failed']],
    [
      'child',
      ['runtime.child.completed', 'runtime.request.resumed', 'execution continue'],
      ['runtime.child.failed', 'runtime.request.resumed', 'execution continue'],
    ],
    ['breakpoint', [], []],
    ['approval', [], []],
    ['sleep', ['runtime.request.resumed', 'execution continue'], ['runtime.request.resumed', 'execution continue']],
    ['signal', [], ['runtime.request.resumed', 'execution continue']],
    ['step', [], []],
  ] as const)('the result of a %s', (kind, ok, error) => {
    expect(inShort(factsOfLast(requested(kind), resolved(EXAMPLES[kind].value)))).toEqual(ok);
    const value = kind === 'plan' ? { value: { diagnostics: [] } } : {};
    const failure = draft('EFFECT_RESOLVED', { effectId: 'e1', attempt: 1, status: 'error', error: ERROR, ...value });
    expect(inShort(factsOfLast(requested(kind), failure))).toEqual(error);
  });

  test.each([
    ['interview', 'continue'],
    ['execute', 'continue'],
    ['evaluate', 'evaluate'],
    ['reflect', 'evolve'],
  ])('the first run of %s has the directive %s, and the next one retry', (name, directive) => {
    const first = factsOfLast(stage('e1', name))[1];
    expect(first).toMatchObject({
      directive,
      targetType: 'execution_node',
      targetId: 'e1',
      phase: name,
      isTerminal: false,
      extra: { stage: name, runtime_id: 'pi', runtime_source: 'default', effect_id: 'e1', attempt: 1 },
    });
    expect(factsOfLast(stage('e1', name), stage('e2', name))[1]).toMatchObject({ directive: 'retry', targetId: 'e2' });
  });

  test('a stage request has its deadline and limits, and its subject ends in the runtime id', () => {
    const [request] = emissions(requested('stage'));
    expect(request).toMatchObject({
      runtimeId: 'pi',
      body: { attempt: 1, deadline: '2026-01-31T12:11:00.000Z', limits: { maxAttempts: 2 } },
    });
  });

  test('a worker started the attempt', () => {
    const value = { mcpServerMappings: [], timings: {}, hostId: 'h1' };
    const events = factsOfLast(
      requested('stage'),
      draft('EFFECT_STARTED', { effectId: 'e1', attempt: 1, hostId: 'h1', value }),
    );
    expect(events).toMatchObject([
      { type: 'runtime.stage.started', hostId: 'h1', stage: 'execute', runtimeId: 'pi', attempt: 1 },
    ]);
    expect(
      factsOfLast(requested('stage'), draft('EFFECT_CLAIMED', { effectId: 'e1', attempt: 1, hostId: 'h1' })),
    ).toMatchObject([{ type: 'runtime.stage.claimed', attempt: 1, hostId: 'h1' }]);
    expect(
      factsOfLast(requested('stage'), draft('EFFECT_PROGRESS', { effectId: 'e1', label: 'installing npm:x@1.2.3' })),
    ).toMatchObject([{ type: 'runtime.stage.progress', stage: 'execute', label: 'installing npm:x@1.2.3' }]);
    expect(factsOfLast(requested('stage'), draft('EFFECT_PROGRESS', { effectId: 'e1', percent: 50 }))).toEqual([]);
    expect(factsOfLast(requested('plan'), draft('EFFECT_STARTED', { effectId: 'e1', attempt: 1 }))).toEqual([]);
    expect(inShort(factsOfLast(requested('child'), draft('EFFECT_STARTED', { effectId: 'e1', attempt: 1 })))).toEqual([
      'runtime.child.started',
    ]);
  });

  test('an attempt fails and the next one runs on another runtime', () => {
    const failed = draft('EFFECT_ATTEMPT_FAILED', {
      effectId: 'e1',
      attempt: 1,
      outcome: 'unknown',
      error: ERROR,
      retryable: true,
      usage: USAGE,
      nextAttempt: 2,
      nextRequest: { runtimeId: 'codex', runtimeSource: 'fallback', previousRuntimeId: 'pi' },
      nextDirective: 'unstuck',
    });
    const events = factsOfLast(requested('stage'), failed);
    expect(inShort(events)).toEqual([
      'runtime.stage.failed',
      'runtime.usage.recorded',
      'runtime.stage.requested',
      'execution_node unstuck',
    ]);
    expect(events[0]).toMatchObject({ runtimeId: 'pi', attempt: 1, outcome: 'unknown', retryable: true });
    expect(events[2]).toMatchObject({ runtimeId: 'codex', attempt: 2 });
    expect(events[3]).toMatchObject({ extra: { runtime_id: 'codex', runtime_source: 'fallback', attempt: 2 } });
  });

  test('the last attempt fails, and its failure is published once', () => {
    const failed = draft('EFFECT_ATTEMPT_FAILED', {
      effectId: 'e1',
      attempt: 1,
      outcome: 'failed',
      error: ERROR,
      retryable: false,
    });
    expect(inShort(factsOfLast(requested('stage'), failed))).toEqual(['runtime.stage.failed']);
    expect(inShort(factsOfLast(requested('stage'), failed, failedEffect))).toEqual([]);
  });

  test('unavailable servers are published at the start of a stage, lost servers and denied tools at its end', () => {
    const missing = { serverId: 'crm', reason: 'it does not answer', missingToolIds: ['crm.find'], required: false };
    const value = { mcpServerMappings: [], timings: {}, hostId: 'h1', degradedServers: [missing] };
    const started = factsOfLast(requested('stage'), {
      type: 'EFFECT_STARTED',
      data: { effectId: 'e1', attempt: 1, hostId: 'h1', value },
    });
    expect(started.at(-1)).toMatchObject({ type: 'runtime.mcp.server.unavailable', ...missing });
    const denied = { toolId: 'crm.delete', policyId: 'gated_tools', reason: 'no approval' };
    const ended = factsOfLast(
      requested('stage'),
      resolved({ output: 'done', tree: SHA, degradedServers: [missing], deniedTools: [denied] }),
    );
    expect(ended.filter(({ type }) => type === 'runtime.mcp.server.unavailable')).toHaveLength(1);
    expect(ended.find(({ type }) => type === 'runtime.tool.denied')).toMatchObject(denied);
  });

  test('a stage answer includes its artifacts and usage', () => {
    const artifact = { id: 'a1', path: 'out.txt', mediaType: 'text/plain', bytes: 3, sha256: SHA, ref: 'blobs/out' };
    const events = factsOfLast(
      requested('stage'),
      resolved({ output: 'done', tree: SHA, artifacts: [artifact], usage: USAGE }),
    );
    expect(inShort(events)).toEqual(['runtime.stage.completed', 'runtime.artifact.created', 'runtime.usage.recorded']);
  });

  test('requests of external work carry the attempt, and those of tasks also the deadline', () => {
    expect(factsOfLast(requested('task'))).toMatchObject([{ attempt: 1, deadline: '2026-01-31T12:10:00.000Z' }]);
    expect(factsOfLast(requested('workflow'))).toMatchObject([{ attempt: 1 }]);
  });
});

function archived(): EntryDraft[] {
  const end = draft('RUN_COMPLETED', { output: 1 });
  const { state } = new JournalBuilder().add(CREATED, end);
  return [end, draft('RUN_ARCHIVED', { archiveRef: BLOB, headHash: state.head.hash, terminalType: 'RUN_COMPLETED' })];
}
