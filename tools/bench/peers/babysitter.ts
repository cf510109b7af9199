/**
 * The published SDK of babysitter: a complete run of `{steps}` tasks in a run directory, with its documented loop of iterating and posting
 * results. Uses the API in this process, because the CLI would start a process for every step.
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
