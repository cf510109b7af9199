import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@reins/contracts';
import { SHA, SimulatedRun, TREE } from '../testing/simulated-run.ts';

const PREPARED = {
  stage: 'evaluate',
  iteration: 2,
  planRef: { sha256: SHA, size: 3 },
  input: { input: 'write', model: 'openai/gpt-5' },
  context: { previous: 'the end', verdict: { outcome: 'fail', reasons: ['short'] } },
};

async function submitted(input: object): Promise<SimulatedRun> {
  const run = new SimulatedRun();
  await run.submit({
    process: 'stage-again',
    retryOf: 'run0',
    revision: TREE,
    stages: { evaluate: 'pi' },
    input: input as JsonObject,
  });
  return run;
}

describe('the process stage-again', () => {
  test('prepares the stage with the same input on the named runtime, and runs it once', async () => {
    const run = await submitted(PREPARED);
    expect(run.requested('runtime.prepare.requested')).toMatchObject({ ...PREPARED, runtimeId: 'pi', tree: TREE });
    await run.prepare();
    expect(run.requested('runtime.stage.requested')).toMatchObject({
      stage: 'evaluate',
      runtimeId: 'pi',
      runtimeSource: 'request',
      tree: TREE,
    });
    await run.start();
    await run.answer('stage', 'runtime.stage.completed', { output: 'again', tree: SHA });
    expect(run.requested('runtime.request.completed').output).toBe('again');
    expect(run.types.filter((type) => type.startsWith('runtime.plan.'))).toEqual([]);
    const [created] = await run.entries();
    expect(created).toMatchObject({ data: { retryOf: 'run0' } });
  });

  test.each([
    [{}],
    [{ ...PREPARED, stage: 'dance' }],
    [{ ...PREPARED, iteration: 0 }],
    [{ ...PREPARED, planRef: 'x' }],
    [{ ...PREPARED, input: 'x' }],
  ])('rejects %j', async (input) => {
    expect((await submitted(input)).requested('runtime.request.failed').error.code).toBe('process_invalid');
  });
});
