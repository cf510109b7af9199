import { expect, test } from '@jest/globals';
import { type EffectState, emptyRun } from '@reins/journal';
import { SimulatedRun } from '../../testing/simulated-run.ts';
import { childSubmit } from './child-runs.ts';
import { effectTrace, factTrace } from './run-trace.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const STATE = 'vendor=1,other=2';
const SUBMITTED = `00-${TRACE}-b7ad6b7169203331-01`;

test('a run continues the trace of its submit, also after a takeover', async () => {
  const run = new SimulatedRun();
  await run.submit({ traceparent: SUBMITTED, tracestate: STATE });
  run.crash();
  await run.plan(['execute']);
  run.crash();
  await run.prepare();
  await run.start();
  run.crash();
  await run.answer('stage', 'runtime.stage.completed', { output: 'done', tree: 'b'.repeat(64) });

  const traces = run.published.map(factTrace);
  expect(traces.every((trace) => trace?.headers.traceparent?.startsWith(`00-${TRACE}-`))).toBe(true);
  const spans = traces.flatMap((trace) => trace?.spans ?? []);
  const root = spans.find(({ name }) => name === 'run');
  expect(root?.parentId).toBe('b7ad6b7169203331');
  expect(spans.map(({ name, parentId }) => [name, parentId === root?.context.spanId])).toEqual([
    ['effect plan', true],
    ['effect prepare', true],
    ['effect stage execute', true],
    ['run', false],
  ]);
  const requested = run.published.findIndex(({ body }) => body.type === 'runtime.stage.requested');
  const effect = spans.find(({ name }) => name === 'effect stage execute');
  expect(traces[requested]?.headers).toEqual({
    traceparent: `00-${TRACE}-${effect?.context.spanId}-01`,
    tracestate: STATE,
  });
});

test('an effect that is cancelled with its run has a span, too', async () => {
  const run = new SimulatedRun();
  await run.submit({ traceparent: SUBMITTED });
  await run.send('command.run.cancel', { idempotencyKey: 'c' });
  const spans = run.published.flatMap((emission) => factTrace(emission)?.spans ?? []);
  expect(spans.map(({ name, attributes }) => [name, attributes['reins.outcome']])).toEqual([
    ['effect plan', 'cancelled'],
    ['run', 'cancelled'],
  ]);
});

test('the span of a child run is below its effect', () => {
  const state = { ...emptyRun({ workspaceId: 'ws', runId: 'run1' }), traceparent: SUBMITTED, tracestate: STATE };
  const effect = { effectId: 'e1', attempt: 1, request: { childRequestId: 'child1', process: 'p' }, requestedAt: '' };
  const { traceparent, tracestate } = childSubmit(state, effect as unknown as EffectState);
  expect(traceparent).toMatch(new RegExp(`^00-${TRACE}-(?!b7ad6b7169203331)`));
  expect({ traceparent, tracestate }).toEqual(effectTrace(state, 'e1'));
  expect(tracestate).toBe(STATE);
});

test('a run without a trace sends no spans', async () => {
  const run = new SimulatedRun();
  await run.submit();
  expect(run.published.map(factTrace)).toEqual(run.published.map(() => undefined));
});
