import { deepEqual, equal } from 'node:assert/strict';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ProcessRunner } from '../engine/process-runner.ts';
import { ComparedRun } from './compare-runners.ts';
import { PROCESSES } from './processes.ts';

/** One promise of every process runner, for any test runner: `for (const { name, check } of …) it(name, () => check(runner))`. */
export interface ProcessRunnerCase {
  readonly name: string;
  check(runner: RunnerOf): Promise<void>;
}

/** The runner under test for an export of the module of `CONTRACT_MODULE`. */
export type RunnerOf = (exportName: keyof typeof PROCESSES) => Promise<ProcessRunner>;

/** The module whose exports the runner is tried with. */
export const CONTRACT_MODULE = {
  root: fileURLToPath(new URL('.', import.meta.url)),
  path: `processes${extname(import.meta.url)}`,
};

/** What every process runner promises: turn for turn what a coroutine does. */
export const processRunnerContract: readonly ProcessRunnerCase[] = [
  promise('effects, one after the other, with what is drawn and what is said', 'sequence', async (run) => {
    await run.start({ n: 7 });
    await run.answer('one', { n: 1 });
    equal(run.turn.state, 'waiting');
    await run.answer('task:mine', 'zwei ä 😀');
    equal(run.turn.state, 'completed');
    for (const length of [2, 4, run.entries.length]) await run.replays(length);
  }),
  promise('everything that one can wait for', 'waits', async (run) => {
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
  promise('local steps: their results, their failures, their further attempts', 'steps', async (run) => {
    await run.start();
    await run.runSteps();
    equal(run.turn.state, 'completed');
    equal((await run.replays()).drafts.length, 0);
  }),
  promise('a scope that is cancelled, a shield, and what is done at the end', 'cleansUp', async (run) => {
    await run.start();
    await run.answer('right', 1);
    await run.feed({ type: 'RUN_CANCEL_REQUESTED', data: { reason: 'enough', idempotencyKey: 'c' } });
    await run.answer('kept', 2);
    await run.answer('undo', 3);
    equal(run.turn.state, 'cancelled');
  }),
  promise('a mistake, which waits for an operator', 'mistaken', async (run) => {
    await run.start();
    await run.answer('one', { a: 1 });
    equal(run.turn.state, 'broken');
    deepEqual((await run.replays()).drafts, []);
  }),
  promise('an end on purpose', 'halts', async (run) => {
    await run.start();
    await run.answer('one', 1);
    equal(run.turn.state, 'halted');
  }),
  promise('a run without end', 'withoutEnd', async (run) => {
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
    name: 'code that does not do what the journal says',
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

function promise(
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
