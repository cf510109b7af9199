import { expect, test } from '@jest/globals';
import { memoryStream, streamJournalStore } from '@reins/journal';
import { babysitterProcess } from '../babysitter/process.ts';
import { LocalRun } from '../local/local-run.ts';
import { misspeltCallHint } from './misspelt-call.ts';

test.each([
  ['ctx.breakpont is not a function', 'Did you mean ctx.breakpoint?'],
  ['context.sleepuntil is not a function', 'Did you mean context.sleepUntil?'],
  ['ctx.task is not a function', undefined],
  ['inputs.items.map is not a function', undefined],
  ['ctx.quantum is not a function', undefined],
  ['it broke', undefined],
])('%s: %s', (message, hint) => {
  expect(misspeltCallHint(message)).toBe(hint);
});

test('a process that calls a misspelled function gets the hint', async () => {
  const process = async (_: unknown, ctx: object) => (ctx as { breakpont: () => Promise<null> }).breakpont();
  const local = await LocalRun.create(
    {
      store: streamJournalStore(memoryStream()),
      run: { workspaceId: 'ws', runId: 'run-1' },
      definition: babysitterProcess('main.ts', 'v1', process),
    },
    { inputs: {} },
  );
  expect(local.state.processError?.error.hint).toBe('Did you mean ctx.breakpoint?');
});
