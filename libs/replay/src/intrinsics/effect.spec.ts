import { describe, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '@reins/contracts';
import { EFFECT_KINDS } from '@reins/journal';
import type { ProcessContext } from '../process-context.ts';
import { definition, draft, RunDriver } from '../testing/run-driver.ts';

const SHA = 'a'.repeat(64);
const BLOB = { sha256: SHA, size: 1, mediaType: 'application/json' };

/** A request of every kind. */
const REQUESTS: Readonly<Record<string, JsonObject>> = {
  plan: { revision: SHA },
  prepare: {
    stage: 'execute',
    runtimeId: 'pi',
    planRef: BLOB,
    iteration: 1,
    input: { input: 'x' },
    context: {},
    tree: SHA,
  },
  stage: { stage: 'execute', runtimeId: 'pi', hostRequestRef: BLOB, tree: SHA },
  'memory.recall': { namespace: 'n', query: 'x' },
  task: { kind: 'node', taskId: 't' },
  'tool.direct': { toolId: 't', args: {} },
  workflow: { workflowId: 'w', adapter: 'a', input: null },
  child: { process: 'p', inputs: null, childRequestId: 'run_1' },
  breakpoint: { approvalId: 'a', subject: { kind: 'breakpoint', label: 'l' }, expiresAt: '2027-01-01T00:00:00Z' },
  approval: { approvalId: 'a', subject: { kind: 'breakpoint', label: 'l' }, expiresAt: '2027-01-01T00:00:00Z' },
  sleep: { expiresAt: '2027-01-01T00:00:00Z' },
  signal: { name: 's' },
};

/** A process that catches the error of its call. */
const caught = (call: (ctx: ProcessContext) => Promise<JsonValue>) =>
  RunDriver.start(
    definition((ctx) => call(ctx).catch(({ code, message, hint = null }) => ({ code, message, hint }) as JsonValue)),
  );

const outputOf = ({ state }: RunDriver) => (state.end?.status === 'completed' ? state.end.output : state.end);

describe('ctx.effect', () => {
  test.each(Object.entries(REQUESTS))('requests a %s by its fields', async (kind, request) => {
    const driver = await RunDriver.start(definition((ctx) => ctx.effect(kind, request)));
    expect(driver.pending).toMatchObject([{ kind, request }]);
  });

  test('covers every kind of the catalogue except step', () => {
    expect([...Object.keys(REQUESTS), 'step'].toSorted()).toEqual(Object.keys(EFFECT_KINDS).toSorted());
  });

  test.each([['bogus'], ['step'], ['toString'], [''], [7], [undefined]])('rejects the kind %p', async (kind) => {
    const driver = await caught((ctx) => ctx.effect(kind as string, { name: 'x' }));
    expect(outputOf(driver)).toMatchObject({
      code: 'process_invalid',
      hint: expect.stringMatching(/plan, prepare, stage, .*, or ctx\.step for work of the process itself/),
    });
    expect(driver.entries.map(({ type }) => type)).not.toContain('EFFECT_REQUESTED');
  });

  test.each<[kind: string, request: unknown, wrong: RegExp]>([
    [
      'stage',
      { nonsense: 1 },
      /stage is required; runtimeId is required; hostRequestRef is required; tree is required/,
    ],
    ['stage', { ...REQUESTS.stage, stage: 'sleep' }, /stage must be one of/],
    ['task', {}, /kind is required; taskId is required/],
    ['tool.direct', { toolId: 't', args: 1 }, /args must be an object/],
    ['breakpoint', { question: '?' }, /approvalId is required; subject is required; expiresAt is required/],
    ['child', { process: 'p' }, /childRequestId must be a run id/],
    ['child', { childRequestId: 'x' }, /process must be a non-empty string/],
    ['sleep', {}, /expiresAt must be a time/],
    ['sleep', { expiresAt: 'next week' }, /expiresAt must be a time/],
    ['signal', { name: ' ' }, /name must be a non-empty string/],
    ['plan', 'x', /the request must be an object/],
    ['plan', null, /the request must be an object/],
    ['plan', { revision: SHA, requestId: 'another' }, /requestId is set by the run/],
  ])('rejects a %s with %j', async (kind, request, wrong) => {
    const driver = await caught((ctx) => ctx.effect(kind, request as JsonObject));
    expect(outputOf(driver)).toMatchObject({ code: 'process_invalid', message: expect.stringMatching(wrong) });
    expect(driver.pending).toEqual([]);
  });

  test('takes an early signal, like ctx.signal', async () => {
    const driver = await RunDriver.start(
      definition(async (ctx) => [await ctx.signal('first'), await ctx.effect('signal', { name: 'go' })]),
    );
    await driver.feed(draft('SIGNAL_RECEIVED', { name: 'go', payload: 7 }));
    const { effectId } = driver.effect('signal');
    await driver.feed(draft('SIGNAL_RECEIVED', { name: 'first', payload: 1, effectId }), driver.answered('signal', 1));
    expect(outputOf(driver)).toEqual([1, 7]);
  });
});
