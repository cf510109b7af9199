import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { childContext, isSampled, readTrace, withSampling, writeTrace } from './trace-context.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

test.each([
  'x',
  `00-${'0'.repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `ff-${TRACE}-${SPAN}-01`,
  `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  `00-${TRACE}-${SPAN}-01-more`,
  undefined,
])('%p is no trace context; a new trace begins in its place', (traceparent) => {
  const parent = readTrace({ traceparent, tracestate: 'vendor=1' });
  expect(parent).toBeUndefined();
  const started = writeTrace(childContext(parent));
  expect(started).toEqual({ traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/) });
});

test('the span of a child keeps the trace, its state and the decision of the caller', () => {
  for (const flags of ['00', '01']) {
    const parent = readTrace({ traceparent: `00-${TRACE}-${SPAN}-${flags}`, tracestate: ' vendor=1 , other=2' });
    const sent = writeTrace(childContext(parent, 'c'.repeat(16)));
    expect(sent).toEqual({ traceparent: `00-${TRACE}-${'c'.repeat(16)}-${flags}`, tracestate: 'vendor=1,other=2' });
  }
});

test.each([
  ['ff', '03'],
  ['fe', '02'],
  ['03', '03'],
])('of the flags %s, %s are passed on', (given, sent) => {
  const context = readTrace({ traceparent: `cc-${TRACE}-${SPAN}-${given}-of-a-later-version` });
  expect(context && writeTrace(context)).toEqual({ traceparent: `00-${TRACE}-${SPAN}-${sent}` });
});

test.each(['', 'no-value', 'a=1\r\nNats-Rollup: all', 'a='.padEnd(600, 'x')])(
  'the trace state %j is dropped, the trace continues',
  (tracestate) => {
    const context = readTrace({ traceparent: `00-${TRACE}-${SPAN}-01`, tracestate });
    expect(context && writeTrace(context)).toEqual({ traceparent: `00-${TRACE}-${SPAN}-01` });
  },
);

test('whatever the headers contain, what is sent is read as the same context', () => {
  const traceparent = fc.oneof(fc.string(), fc.stringMatching(/^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/));
  const tracestate = fc.option(fc.oneof(fc.string(), fc.stringMatching(/^([a-z]{1,9}=[ -~]{0,20},?){0,40}$/)), {
    nil: undefined,
  });
  fc.assert(
    fc.property(traceparent, tracestate, (parent, state) => {
      const context = readTrace({ traceparent: parent, tracestate: state });
      if (!context) return;
      const sent = writeTrace(context);
      const again = readTrace(sent);
      expect(again && writeTrace(again)).toEqual(sent);
      expect(sent.tracestate ?? '').toMatch(/^[ -~]{0,512}$/);
    }),
  );
});

test('a sampling decision replaces that of the caller, and keeps the other flags', () => {
  for (const flags of ['02', '03']) {
    const context = readTrace({ traceparent: `00-${TRACE}-${SPAN}-${flags}` });
    const decided = [true, false].map((sampled) => context && withSampling(context, sampled));
    expect(decided.map((one) => one && isSampled(one))).toEqual([true, false]);
    expect(decided.map((one) => one && writeTrace(one).traceparent.slice(-2))).toEqual(['03', '02']);
  }
});
