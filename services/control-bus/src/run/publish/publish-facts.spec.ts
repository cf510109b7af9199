import { expect, test } from '@jest/globals';
import { type EventType } from '@reins/contracts';
import { type EntryDraft, foldRun, sealEntries } from '@reins/journal';
import type { DefinedTask, ProcessContext } from '@reins/replay';
import { SimulatedRun } from '../../testing/simulated-run.ts';

const work: DefinedTask<null> = { id: 'work', build: () => ({ kind: 'node' }) };
const PROCESS = { id: 'test', codeHash: 'v1', run: (context: ProcessContext) => context.task(work, null) };
const DAMAGE: EntryDraft = {
  type: 'RUN_PAUSED',
  data: { idempotencyKey: 'damaged.4.1', error: { code: 'run_damaged', message: 'the journal has lost entry 4' } },
};

/** The run has started, and the event log has an end of it that the journal has lost. */
async function runWithLostEnd(type: EventType): Promise<SimulatedRun> {
  const run = new SimulatedRun(PROCESS);
  await run.submit();
  const { workspaceId, runId: requestId } = run.run;
  const body = { type, workspaceId, requestId, sessionId: 's', agentId: 'main' };
  run.published.push({ id: `${'0'.repeat(64)}.0`, body: body as never, version: 4, terminal: true });
  return run;
}

const endsOf = (run: SimulatedRun): string[] =>
  run.published.filter(({ terminal }) => terminal).map(({ body }) => body.type);
const complete = (run: SimulatedRun): Promise<void> =>
  run.answer('task', 'runtime.task.completed', { kind: 'node', taskId: 'work', value: 1 });

async function pauseAsDamaged(run: SimulatedRun): Promise<void> {
  const { entries, position } = await run.journal.load(run.run);
  const { head } = foldRun(run.run, entries);
  await run.journal.append(
    run.run,
    { entries: sealEntries(head, [DAMAGE], new Date(run.now).toISOString()), epoch: 1 },
    position,
  );
  run.crash();
}

test('a run ends although the event log has an end that its journal has lost, and can be loaded again', async () => {
  const run = await runWithLostEnd('runtime.request.completed');
  await complete(run);
  expect((await run.entries()).at(-1)?.type).toBe('RUN_COMPLETED');
  expect(endsOf(run)).toEqual(['runtime.request.completed']);
  expect(run.directives).toEqual(['converge']);
  run.crash();
  await run.pass(0);
  expect(endsOf(run)).toEqual(['runtime.request.completed']);
});

test('a damaged run publishes no second end of another type', async () => {
  const run = await runWithLostEnd('runtime.request.failed');
  await pauseAsDamaged(run);
  await run.send('command.run.resume', { idempotencyKey: 'resume' });
  await complete(run);
  expect((await run.entries()).at(-1)?.type).toBe('RUN_COMPLETED');
  expect(endsOf(run)).toEqual(['runtime.request.failed']);
});
