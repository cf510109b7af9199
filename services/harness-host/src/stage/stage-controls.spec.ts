import { expect, test } from '@jest/globals';
import { StageControls } from './stage-controls.ts';

test('a stage that is being cancelled can still be lost', async () => {
  const controls = new StageControls();
  const calls: string[] = [];
  void controls.stop.then((reason) => calls.push(`stop: ${reason}`));
  void controls.lost.then(() => calls.push('lost'));
  controls.receive({ id: 'cancel.1', kind: 'cancel', attempt: 1 });
  await controls.stop;
  expect([calls, controls.stopped]).toEqual([['stop: cancel'], 'cancel']);
  controls.stopFor('lost');
  await controls.lost;
  expect([calls, controls.stopped]).toEqual([['stop: cancel', 'lost'], 'lost']);
});
