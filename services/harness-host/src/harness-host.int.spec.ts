import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { HostFixture } from './testing/host-fixture.ts';

let fixture: HostFixture;
beforeAll(async () => {
  fixture = await HostFixture.start();
  await fixture.host();
}, 60_000);
afterAll(() => fixture.stop(), 60_000);

describe('a stage', () => {
  test('is started, signalled, completed; its files are a tree', async () => {
    const { effectId, tree } = await fixture.request({
      instruction: '@echo write a.txt hello\n@echo stream\n@echo answer one two three',
    });
    const completed = await fixture.final(effectId);
    expect(completed).toMatchObject({
      type: 'runtime.stage.completed',
      stage: 'execute',
      runtimeId: 'echo',
      attempt: 1,
      output: 'one two three',
    });
    if (completed.type !== 'runtime.stage.completed') return;
    expect(completed.tree).not.toBe(tree);
    expect(await fixture.files(completed.tree)).toEqual({ 'a.txt': 'hello\n' });
    expect(fixture.order(effectId)).toEqual([
      'runtime.stage.requested',
      'runtime.stage.started',
      'agent.handoff',
      'agent.output.delta',
      'runtime.stage.completed',
    ]);
  });
});
