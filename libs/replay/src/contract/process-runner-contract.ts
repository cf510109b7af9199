import { deepEqual, equal } from 'node:assert/strict';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ProcessRunner } from '../engine/process-runner.ts';
import { ComparedRun } from './compare-runners.ts';
import { PROCESSES } from './processes.ts';

/**
 * One guarantee of every process runner, for any test runner: `for (const { name, check } of …) it(name, () =>
 * check(runner))`.
 */
export interface ProcessRunnerCase {
  readonly name: string;
  check(runner: RunnerOf): Promise<void>;
}

/** Returns the runner under test for an export of `CONTRACT_MODULE`. */
export type RunnerOf = (exportName: keyof typeof PROCESSES) => Promise<ProcessRunner>;

/** The module whose exports are run. */
export const CONTRACT_MODULE = {
  root: fileURLToPath(new URL('.', import.meta.url)),
  path: `processes${extname(import.meta.url)}`,
};

/** The guarantees of every process runner: the same turns as a coroutine. */
export const processRunnerContract: readonly ProcessRunnerCase[] = [
  contractCase('effects in sequence, with random numbers and logs', 'sequence', async (run) => {
    await run.start({ n: 7 });
    await run.answer('one', { n: 1 });
    equal(run.turn.state, 'waiting');
    await run.answer('task:mine', 'zwei ä 😀');
    equal(run.turn.state, 'completed');
    for (const length of [2, 4, run.entries.length]) await run.replays(length);
  }),
  contractCase('every kind of wait', 'waits', async (run) => {
    await run.start();
    await run.feed({ type: 'SIGNAL_RECEIVED', data: { name: 'later', payload: 1 } });
    await run.answer('signal', 0);
    await run.answer('child', { output: { deep: [true] } });
    await run.answer('breakpoint', { approved: true });
    await run.fail('fails');
    await run.answer('sleep', null);
    await run.answer('signal', [1]);
    equal(run.turn.state, 'completed');
    equal((await run.replays()).state, 'completed');
  }),
  contractCase('local steps: their results, failures and further attempts', 'steps', async (run) => {
    await run.start();
    await run.runSteps();
    equal(run.turn.state, 'completed');
    equal((await run.replays()).drafts.length, 0);
  }),
  contractCase('a cancelled scope, a shield, and cleanup', 'cleansUp', async (run) => {
    await run.start();
    await run.answer('right', 1);
    await run.feed({ type: 'RUN_CANCEL_REQUESTED', data: { reason: 'enough', idempotencyKey: 'c' } });
    await run.answer('kept', 2);
    await run.answer('undo', 3);
    equal(run.turn.state, 'cancelled');
  }),
  contractCase('an error of the process, which waits for an operator', 'mistaken', async (run) => {
    await run.start();
    await run.answer('one', { a: 1 });
    equal(run.turn.state, 'broken');
    deepEqual((await run.replays()).drafts, []);
  }),
  contractCase('a halt', 'halts', async (run) => {
    await run.start();
    await run.answer('one', 1);
    equal(run.turn.state, 'halted');
  }),
  contractCase('a run that continues as new', 'withoutEnd', async (run) => {
    await run.start(0);
    for (let i = 0; i < 3; i += 1) await run.answer('work', i);
    equal(run.turn.state, 'completed');
    equal((await run.replays()).state, 'completed');
    equal((await run.replays(undefined, true)).state, 'completed');
    const [first] = run.entries;
    if (first?.type === 'RUN_CREATED') run.entries[0] = { ...first, data: { ...first.data, inputs: 1 } };
    equal((await run.replays(undefined, true)).state, 'diverged');
  }),
  {
    name: 'code that diverges from its journal',
    check: async (runner) => {
      const run = new ComparedRun(await runner('halts'), PROCESSES.halts);
      await run.start();
      const other = new ComparedRun(await runner('withoutEnd'), PROCESSES.withoutEnd);
      other.entries.push(...run.entries);
      const turn = await other.replays();
      equal(turn.state, 'diverged');
      equal(turn.divergence?.error.code, 'replay_nondeterminism');
      await run.close();
    },
  },
];

function contractCase(
  name: string,
  exportName: keyof typeof PROCESSES,
  check: (run: ComparedRun) => Promise<void>,
): ProcessRunnerCase {
  return {
    name,
    check: async (runner) => {
      const run = new ComparedRun(await runner(exportName), PROCESSES[exportName]);
      try {
        await check(run);
      } finally {
        await run.close();
      }
    },
  };
}
