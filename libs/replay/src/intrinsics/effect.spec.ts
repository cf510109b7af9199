import { describe, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '@reins/contracts';
import { requestKinds } from '@reins/journal';
import { EXAMPLES, SHA } from '@reins/journal/testing';
import type { ProcessContext } from '../process-context.ts';
import { definition, draft, RunDriver } from '../testing/run-driver.ts';

/** A request of every kind that `ctx.effect` takes. */
const REQUESTS: Readonly<Record<string, JsonObject>> = Object.fromEntries(
  Object.entries(EXAMPLES).flatMap(([kind, { request }]) => (kind === 'step' ? [] : [[kind, request]])),
);

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
    expect(Object.keys(REQUESTS).toSorted()).toEqual(requestKinds().toSorted());
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
