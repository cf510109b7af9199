import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { until } from '@reins/testing';
import { DEFAULT_SETTINGS, HostFixture } from './testing/host-fixture.ts';
import { runFoldersOf } from './testing/run-folders.ts';

const runFolders = (): Promise<string[]> => runFoldersOf(process.pid);
const untilAllRemoved = (): Promise<boolean> => until(async () => (await runFolders()).length === 0);

let fixture: HostFixture;
beforeEach(async () => {
  fixture = await HostFixture.start();
});
afterEach(() => fixture.stop());

test('the folder of a stage is removed, however the stage ends', async () => {
  await fixture.host();
  const results = {
    '@echo write a.txt hello': { type: 'runtime.stage.completed' },
    '@echo write a.txt hello\n@echo error broken': { outcome: 'failed' },
    '@echo write a.txt hello\n@echo crash': { outcome: 'unknown' },
  };
  for (const [instruction, expected] of Object.entries(results)) {
    const { effectId } = await fixture.request({ instruction });
    expect(await fixture.finalEvent(effectId)).toMatchObject(expected);
    await untilAllRemoved();
  }
  const { effectId } = await fixture.request({ instruction: '@echo write a.txt hello\n@echo hang' });
  await fixture.firstEvent(effectId, 'agent.handoff');
  expect(await runFolders()).toHaveLength(1);
  await fixture.controls.send(effectId, { id: 'cancel', kind: 'cancel' });
  expect(await fixture.finalEvent(effectId)).toMatchObject({ type: 'runtime.stage.cancelled' });
  await untilAllRemoved();
});

test('a stopped host leaves no folders of cancelled stages or warm processes', async () => {
  const host = await fixture.host({ host: { ...DEFAULT_SETTINGS.host, runtimes: ['echo', 'openai_chat'] } });
  const { effectId } = await fixture.request({ instruction: '@echo write a.txt hello\n@echo hang' });
  await fixture.firstEvent(effectId, 'agent.handoff');
  await until(async () => (await runFolders()).length === 2);
  await host.stop(0);
  expect(await fixture.finalEvent(effectId)).toMatchObject({ outcome: 'unknown' });
  expect(await runFolders()).toEqual([]);
});
