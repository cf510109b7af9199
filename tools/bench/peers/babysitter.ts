/**
 * The published SDK of babysitter: a run of so many tasks (`{steps}`) in a run directory, from its creation to its end, by the loop that it documents: iterate,
 * post the results of what is asked for, iterate. In this process, through its API; its command line would start a process for every step.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commitEffectResult, createRun, orchestrateIteration } from '@a5c-ai/babysitter-sdk';
import { serve } from './contestant.ts';

const root = await mkdtemp(join(tmpdir(), 'reins-bench-babysitter-'));
let runs = 0;

async function run(steps: number): Promise<void> {
  runs += 1;
  const { runDir } = await createRun({
    runsDir: join(root, '.a5c', 'runs'),
    runId: `run-${runs}`,
    process: {
      processId: 'steps',
      importPath: join(import.meta.dirname, 'babysitter-process.mjs'),
      exportName: 'process',
    },
    inputs: { steps },
  });
  for (;;) {
    const turn = await orchestrateIteration({ runDir });
    if (turn.status === 'failed') throw new Error(`the run failed: ${JSON.stringify(turn.error)}`);
    if (turn.status === 'completed') return;
    for (const { effectId, invocationKey, taskDef } of turn.nextActions)
      await commitEffectResult({
        runDir,
        effectId,
        invocationKey,
        result: { status: 'ok', value: { n: taskDef.metadata?.n } },
      });
  }
}

serve(
  ({ steps = 0 }) => run(steps),
  () => rm(root, { recursive: true, force: true }),
);
