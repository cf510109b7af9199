import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { JsonValue, RuntimeStageRequested, RuntimeStageWaiting } from '@reins/contracts';
import { until } from '@reins/testing';
import { HostFixture } from './testing/host-fixture.ts';

let fixture: HostFixture;
beforeEach(async () => {
  fixture = await HostFixture.start();
});
afterEach(() => fixture.stop());

/** Requests a suspended stage again, as the control bus does after the answer. */
async function resume(
  event: RuntimeStageRequested,
  { suspended }: RuntimeStageWaiting,
  answer: JsonValue,
  number = 1,
): Promise<RuntimeStageRequested> {
  if (!suspended) throw new Error('the stage is not suspended');
  const { tree, signals } = suspended;
  const again = { ...event, tree, resume: { number, answer, signals } };
  await fixture.publish(again, `resumed-${number}`);
  return again;
}

const seqsOf = (effectId: string): (number | undefined)[] =>
  fixture.allEvents(effectId).flatMap((body) => (body.type === 'runtime.adapter.event' ? [body.seq] : []));

describe('a stage that asks a question', () => {
  test('ends at its host, and continues on another one, from its files and in the same attempt', async () => {
    const first = await fixture.host();
    const event = await fixture.request({ instruction: '@echo write a.txt hello\n@echo ask Which colour?' });
    const waiting = await fixture.firstEvent(event.effectId, 'runtime.stage.waiting');
    expect(waiting).toMatchObject({ question: 'Which colour?', attempt: 1 });
    await until(() => first.load.claims === 0 && first.load.stages === 0);
    await first.stop();
    await fixture.host();
    await resume(event, waiting, 'blue');
    const completed = await fixture.finalEvent(event.effectId);
    expect(completed).toMatchObject({ type: 'runtime.stage.completed', attempt: 1, resumption: 1, output: 'blue' });
    if (completed.type !== 'runtime.stage.completed') return;
    expect(await fixture.files(completed.tree)).toEqual({ 'a.txt': 'hello\n' });
    const seqs = seqsOf(event.effectId);
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
  });

  test('may ask again', async () => {
    await fixture.host();
    const event = await fixture.request({ instruction: '@echo ask Which colour?' });
    const first = await fixture.firstEvent(event.effectId, 'runtime.stage.waiting');
    const again = await resume(event, first, '@echo ask Which shade?');
    await until(() => fixture.eventsOf('runtime.stage.waiting', event.effectId).length === 2);
    const second = fixture.eventsOf('runtime.stage.waiting', event.effectId).at(-1) as RuntimeStageWaiting;
    expect(second).toMatchObject({ question: 'Which shade?', resumption: 1 });
    await resume(again, second, 'dark', 2);
    expect(await fixture.finalEvent(event.effectId)).toMatchObject({ output: 'dark', resumption: 2 });
  });

  test('repeats its question when its request is delivered again, and does not run again', async () => {
    await fixture.host();
    const event = await fixture.request({ instruction: '@echo ask Which colour?' });
    const first = await fixture.firstEvent(event.effectId, 'runtime.stage.waiting');
    await fixture.publish(event, 'delivered-again');
    await until(() => fixture.eventsOf('runtime.stage.waiting', event.effectId).length === 2);
    expect(fixture.eventsOf('runtime.stage.waiting', event.effectId).at(-1)).toEqual(first);
    expect(fixture.eventsOf('agent.handoff', event.effectId)).toHaveLength(1);
  });

  test('continues once for each answer', async () => {
    await fixture.host();
    const event = await fixture.request({ instruction: '@echo ask Which colour?' });
    const waiting = await fixture.firstEvent(event.effectId, 'runtime.stage.waiting');
    const again = await resume(event, waiting, 'blue');
    await fixture.finalEvent(event.effectId);
    await fixture.publish(again, 'resumed-again');
    await until(() => fixture.eventsOf('runtime.stage.completed', event.effectId).length === 2);
    expect(fixture.eventsOf('runtime.stage.started', event.effectId)).toHaveLength(2);
  });
});
