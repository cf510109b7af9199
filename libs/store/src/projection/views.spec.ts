import { expect, test } from '@jest/globals';
import type { AnyEvent } from '@reins/contracts';
import { streamViewOf, traceViewsOf } from './views.ts';

const views = (type: string, event?: object): string[] =>
  traceViewsOf({ type, ...(event && { event }) } as unknown as AnyEvent).map(
    ({ view, category }) => `${view} ${category}`,
  );

test.each([
  ['runtime.request.waiting', ['runtime.trace.request request']],
  ['runtime.execution.contract.failed', ['runtime.trace.request request']],
  ['runtime.tool.direct.failed', ['runtime.trace.tool.direct tool']],
  ['runtime.tool.denied', ['runtime.trace.tool.direct tool']],
  ['runtime.memory.plugin.failed', ['runtime.trace.memory memory']],
  ['runtime.artifact.created', ['runtime.trace.artifact artifact']],
  ['runtime.specDriven.phase.blocked', ['runtime.trace.spec spec']],
  ['runtime.plan.rejected', ['runtime.trace.stage stage']],
  ['runtime.prepare.completed', ['runtime.trace.stage stage']],
  ['runtime.stage.started', ['runtime.trace.stage stage']],
  ['control.directive.emitted', ['runtime.trace.stage stage']],
  ['runtime.usage.recorded', []],
])('%s is in %j', (type, expected) => {
  expect(views(type)).toEqual(expected);
});

test('a signal is in the adapter view; tools, plans and delegations are in their own view as well', () => {
  expect(views('runtime.adapter.event', { adapter: 'pi', phase: 'agent.handoff' })).toEqual([
    'runtime.trace.adapter adapter',
  ]);
  expect(views('runtime.adapter.event', { adapter: 'pi', phase: 'agent.tool.result' })).toEqual([
    'runtime.trace.adapter adapter',
    'runtime.trace.agent.tool adapter',
  ]);
  expect(views('runtime.adapter.event', { adapter: 'pi', traceType: 'plan' })).toEqual([
    'runtime.trace.adapter adapter',
    'runtime.trace.plan plan',
  ]);
  expect(views('runtime.adapter.event', { adapter: 'pi', traceType: 'delegation' })[1]).toBe(
    'runtime.trace.delegation delegation',
  );
});

test('streams contain tool progress and narration with their known names', () => {
  expect(streamViewOf('agent.tool.start')?.event).toBe('stable_harness.tool.progress');
  expect(streamViewOf('runtime.tool.direct.completed')?.event).toBe('stable_harness.tool.progress');
  expect(streamViewOf('runtime.progress.narration')?.event).toBe('stable_harness.progress.narration');
  expect(streamViewOf('runtime.stage.started')).toBeUndefined();
});
