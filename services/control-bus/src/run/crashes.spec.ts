import { expect, test } from '@jest/globals';
import type { EventType, JsonValue } from '@reins/contracts';
import type { DefinedTask, ProcessContext } from '@reins/replay';
import fc from 'fast-check';
import type { BuiltInProcess } from '../processes/built-in-process.ts';
import { type CrashAt, SimulatedCrash, SimulatedRun } from '../testing/simulated-run.ts';

const task = (id: string): DefinedTask<null> => ({ id, build: () => ({ kind: 'node' }) });

/** Asks for something of every kind, some of it side by side, and cleans up. */
async function everything(context: ProcessContext): Promise<JsonValue> {
  context.onCleanup(async () => {
    await context.task(task('tidy'), null);
  });
  context.log('begins');
  const [answer, signal] = await Promise.all([context.task(task('work'), null), context.signal('go')]);
  const decided = await context.breakpoint({ question: 'on?' });
  await context.sleepUntil(context.now().getTime() + 60_000);
  const step = await context.step('count', () => 'counted');
  const child = await context.child('other', { n: 1 });
  return [answer, signal, decided, step, child];
}

const PROCESS: BuiltInProcess = { id: 'test', codeHash: 'v1', run: everything };

interface Message {
  readonly type: EventType;
  readonly fields: object;
}

/** What the world does to the run, in order; each message is made of what the run has told by then. */
const SCRIPT: readonly ((run: SimulatedRun) => Message | 'step' | 'minute')[] = [
  () => ({ type: 'command.signal', fields: { idempotencyKey: 's', name: 'go', payload: 'gone' } }),
  (run) => answered(run, 'work', 1),
  () => ({ type: 'command.run.pause', fields: { idempotencyKey: 'p' } }),
  (run) => {
    const { approvalId } = run.requested('runtime.approval.requested');
    const decision = { approvalId, decision: 'approved', decidedBy: 'ann' };
    return { type: 'command.approval.resolve', fields: { idempotencyKey: 'd', ...decision } };
  },
  () => ({ type: 'command.run.resume', fields: { idempotencyKey: 'r' } }),
  () => 'minute',
  () => 'step',
  (run) => childSays(run, 'runtime.child.started', {}),
  (run) => childSays(run, 'runtime.child.completed', { output: 'grown' }),
  (run) => answered(run, 'tidy', null),
];

function answered(run: SimulatedRun, taskId: string, value: JsonValue): Message {
  const asked = run.told.findLast(({ body }) => body.type === 'runtime.task.requested' && body.taskId === taskId);
  if (!asked) throw new Error(`${taskId} was not asked for`);
  const { effectId, attempt } = asked.body as unknown as { effectId: string; attempt: number };
  return { type: 'runtime.task.completed', fields: { effectId, attempt, kind: 'node', taskId, value } };
}

function childSays(run: SimulatedRun, type: EventType, fields: object): Message {
  const submit = run.posted.find(({ body }) => body.type === 'command.run.submit')?.body;
  if (submit?.type !== 'command.run.submit' || !submit.parent) throw new Error('no child was started');
  const { effectId, attempt } = submit.parent;
  return { type, fields: { effectId, attempt, childRequestId: submit.requestId, ...fields } };
}

/** A message is handled again until its reaction is whole, as the inbox does it. */
async function untilDone(run: SimulatedRun, work: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof SimulatedCrash)) throw error;
      run.crash();
    }
  }
}

/** Plays the script; `crashes` says, for each message, where its owner dies on the way. */
async function played(crashes: readonly { readonly at: CrashAt | 'after' | 'nowhere'; readonly twice: boolean }[]) {
  const run = new SimulatedRun(PROCESS);
  await untilDone(run, () => run.submit());
  for (const [index, next] of SCRIPT.entries()) {
    const { at, twice } = crashes[index] ?? { at: 'nowhere', twice: false };
    if (at !== 'nowhere' && at !== 'after') run.crashAt = at;
    const what = next(run);
    const deliver = (): Promise<void> => {
      if (what === 'step') return run.runSteps();
      return what === 'minute' ? run.pass(run.now < SOON ? 60_000 : 0) : run.send(what.type, what.fields);
    };
    await untilDone(run, deliver);
    if (at === 'after') run.crash();
    if (twice) await untilDone(run, deliver);
    run.crashAt = undefined;
  }
  return run;
}

const SOON = Date.parse('2026-01-01T00:01:00.000Z');

test('whoever dies wherever, a run tells the same, once, and ends the same', async () => {
  const undisturbed = await played([]);
  const output = [1, 'gone', { approved: true, respondedBy: 'ann' }, 'counted', 'grown'];
  expect(undisturbed.requested('runtime.request.completed').output).toEqual(output);
  const types = undisturbed.types;
  const posted = undisturbed.posted.map(({ id }) => id);
  const at = fc.constantFrom<CrashAt | 'after' | 'nowhere'>(
    'before append',
    'append',
    'tell',
    'post',
    'leave',
    'after',
    'nowhere',
  );
  const crashes = fc.array(fc.record({ at, twice: fc.boolean() }), {
    minLength: SCRIPT.length,
    maxLength: SCRIPT.length,
  });
  await fc.assert(
    fc.asyncProperty(crashes, async (where) => {
      const run = await played(where);
      expect(run.types).toEqual(types);
      expect(run.posted.map(({ id }) => id)).toEqual(posted);
      expect(run.told.map(({ id }) => id)).toEqual(undisturbed.told.map(({ id }) => id));
    }),
    { numRuns: 100 },
  );
}, 30_000);
