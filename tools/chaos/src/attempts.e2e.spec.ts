import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { tempDir } from '@reins/testing';
import { CHECKS } from './checks/check-all.ts';
import { slowWorkspaceFiles } from './load/workspaces.ts';
import { MODES } from './modes.ts';
import { type RunningSystem, startRunningSystem } from './system/start.ts';
import { evidenceOf } from './testing/evidence-of.ts';
import { runWorkspace } from './testing/submit-request.ts';

/** The clocks of the control bus and the host are ten minutes apart. */
let running: RunningSystem;
beforeAll(async () => {
  const { environment } = MODES['clock-skew'] ?? {};
  const limits = { ...MODES['slow-preparation']?.settings?.limits, stageOnUnknown: 'fail' };
  const dir = await tempDir('attempts');
  running = await startRunningSystem({
    dir,
    replicas: 1,
    log: () => {},
    settings: { limits },
    ...(environment && { environmentOf: environment }),
  });
});
afterAll(() => running?.stop());

test('a stage whose application takes longer to set up than the stage may wait for a host runs once', async () => {
  const request = { input: 'Say hello.', stages: { execute: 'openai_chat' } };
  const ended = await runWorkspace(running, 'slow', slowWorkspaceFiles('slow'), request);
  expect(ended).toMatchObject({ status: 'completed', stages: [{ attempt: 1, status: 'completed' }] });
  const { events } = await evidenceOf(running);
  const ofStage = events.filter(({ requestId }) => requestId === ended.requestId).map(({ type }) => type);
  // The host does not wait for its report of the start.
  expect(ofStage.filter((type) => type === 'agent.handoff')).toHaveLength(1);
  const steps = ofStage.filter((type) => type.startsWith('runtime.stage.') && type !== 'runtime.stage.progress');
  expect(steps).toEqual([
    'runtime.stage.requested',
    'runtime.stage.claimed',
    'runtime.stage.started',
    'runtime.stage.completed',
  ]);
  expect(CHECKS.stages?.({ accepted: [], refused: [], evidence: await evidenceOf(running) })).toEqual([]);
});
