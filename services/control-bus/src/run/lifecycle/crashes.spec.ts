import { expect, test } from '@jest/globals';
import type { EventType, JsonValue } from '@reins/contracts';
import type { DefinedTask, ProcessContext } from '@reins/replay';
import fc from 'fast-check';
import type { BuiltInProcess } from '../../processes/built-in-process.ts';
import { type CrashAt, SimulatedCrash, SimulatedRun } from '../../testing/simulated-run.ts';

const task = (id: string): DefinedTask<null> => ({ id, build: () => ({ kind: 'node' }) });

/** Requests effects of every kind, some concurrently, and cleans up. */
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

/** The messages to the run, in order. Each is built from the facts published so far. */
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
  const asked = run.published.findLast(({ body }) => body.type === 'runtime.task.requested' && body.taskId === taskId);
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

/** Delivers a message until it is handled, like the inbox. */
async function deliverUntilHandled(run: SimulatedRun, work: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof SimulatedCrash)) throw error;
      run.crash();
    }
  }
}

interface Crash {
  readonly at: CrashAt | 'after' | 'nowhere';
  readonly twice: boolean;
}

/** The script up to a position where the run is cancelled, followed by the answers that it waits for. */
function cancelledAt(place: number): typeof SCRIPT {
  const cancel = (): Message => ({ type: 'command.run.cancel', fields: { idempotencyKey: 'c', reason: 'no' } });
  const child = (run: SimulatedRun) =>
    childSays(run, 'runtime.child.failed', { error: { code: 'effect_cancelled', message: 'no' } });
  const tidy = SCRIPT.slice(-1);
  return [...SCRIPT.slice(0, place), cancel, ...(place >= 7 ? [child] : []), ...tidy];
}

/** Plays the script. `crashes` names, for each message, where the owner crashes. */
async function play(crashes: readonly Crash[], script = SCRIPT) {
  const run = new SimulatedRun(PROCESS);
  await deliverUntilHandled(run, () => run.submit());
  for (const [index, next] of script.entries()) {
    const { at, twice } = crashes[index] ?? { at: 'nowhere', twice: false };
    if (at !== 'nowhere' && at !== 'after') run.crashAt = at;
    const what = next(run);
    const deliver = (): Promise<void> => {
      if (what === 'step') return run.runSteps();
      return what === 'minute' ? run.pass(run.now < SOON ? 60_000 : 0) : run.send(what.type, what.fields);
    };
    await deliverUntilHandled(run, deliver);
    if (at === 'after') run.crash();
    if (twice) await deliverUntilHandled(run, deliver);
    run.crashAt = undefined;
  }
  return run;
}

const SOON = Date.parse('2026-01-01T00:01:00.000Z');

const WHERE = fc.constantFrom<Crash['at']>('before append', 'append', 'publish', 'post', 'leave', 'after', 'nowhere');
const CRASHES = fc.array(fc.record({ at: WHERE, twice: fc.boolean() }), { maxLength: SCRIPT.length + 2 });

function expectSame(run: SimulatedRun, withoutCrashes: SimulatedRun): void {
  expect(run.types).toEqual(withoutCrashes.types);
  expect(run.posted.map(({ id }) => id)).toEqual(withoutCrashes.posted.map(({ id }) => id));
  expect(run.published.map(({ id }) => id)).toEqual(withoutCrashes.published.map(({ id }) => id));
}

test('a run publishes the same facts once and ends the same, at any crash point', async () => {
  const withoutCrashes = await play([]);
  const output = [1, 'gone', { approved: true, respondedBy: 'ann' }, 'counted', 'grown'];
  expect(withoutCrashes.requested('runtime.request.completed').output).toEqual(output);
  const property = fc.asyncProperty(CRASHES, async (crashes) => expectSame(await play(crashes), withoutCrashes));
  await fc.assert(property, { numRuns: 40 });
});

test('a cancelled run does so, too, at any cancel point', async () => {
  const places = Array.from({ length: SCRIPT.length - 1 }, (_, place) => place);
  const withoutCrashes = await Promise.all(places.map((place) => play([], cancelledAt(place))));
  for (const run of withoutCrashes) expect(run.types.at(-2)).toBe('runtime.request.cancelled');
  const property = fc.asyncProperty(fc.constantFrom(...places), CRASHES, async (place, crashes) =>
    expectSame(await play(crashes, cancelledAt(place)), withoutCrashes[place] as SimulatedRun),
  );
  await fc.assert(property, { numRuns: 40 });
});
