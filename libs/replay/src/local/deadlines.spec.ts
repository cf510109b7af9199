import { describe, expect, test } from '@jest/globals';
import type { Limits } from '@reins/contracts';
import { type Entry, memoryStream, streamJournalStore } from '@reins/journal';
import type { ProcessContext } from '../process-context.ts';
import { definition } from '../testing/run-driver.ts';
import { LocalRun } from './local-run.ts';

const RUN = { workspaceId: 'local', runId: 'run-1' };
const DAY = 24 * 60 * 60 * 1000;
const YEARS = 5 * 365 * DAY;

/** A run without a control bus, which can be continued at any time. */
class Directory {
  readonly #store = streamJournalStore(memoryStream());
  readonly #definition;
  #now = Date.parse('2026-01-31T12:00:00.000Z');

  constructor(ask: (ctx: ProcessContext) => Promise<unknown>) {
    this.#definition = definition(async (ctx) => {
      const answer = ask(ctx).then((value) => ({ value }));
      return (await answer.catch(({ code, message }) => ({ code, message }))) as never;
    });
  }

  get #options() {
    return { store: this.#store, run: RUN, definition: this.#definition, now: () => new Date(this.#now) };
  }

  create(): Promise<LocalRun> {
    return LocalRun.create(this.#options, { inputs: null });
  }

  /** Continues the run after this time. */
  later(ms: number): Promise<LocalRun> {
    this.#now += ms;
    return LocalRun.open(this.#options);
  }

  async entries(): Promise<readonly Entry[]> {
    return (await this.#store.load(RUN)).entries;
  }
}

const task = (limits?: Partial<Limits>) => (ctx: ProcessContext) =>
  ctx.effect('task', { kind: 'node', taskId: 't' }, limits && { limits });
const tool = (limits?: Partial<Limits>) => (ctx: ProcessContext) =>
  ctx.effect('tool.direct', { toolId: 't', args: {} }, limits && { limits });
const plan = (limits?: Partial<Limits>) => (ctx: ProcessContext) =>
  ctx.effect('plan', { revision: 'a'.repeat(64) }, limits && { limits });
const hook = (options?: { timeout: number }) => (ctx: ProcessContext) =>
  ctx.hook('on-x', null, { throwOnFailure: true, ...options });
const build = { id: 'build', build: () => ({ kind: 'node' }) };

describe('in a run directory', () => {
  test.each<[name: string, ask: (ctx: ProcessContext) => Promise<unknown>, ms: number, code: string]>([
    ['a task', task({ runForMs: 1500 }), 1500, 'effect_timed_out'],
    ['a hook', hook({ timeout: 1000 }), 1000, 'effect_timed_out'],
    ['a hook with exactly the default time', hook({ timeout: 30_000 }), 30_000, 'effect_timed_out'],
    ['a stage of work', tool({ runForMs: 1500, maxAttempts: 1 }), 1500, 'effect_timed_out'],
    ['work that no worker started', tool({ startWithinMs: 700, maxAttempts: 1 }), 700, 'effect_not_started'],
    [
      'work that is only answered',
      plan({ startWithinMs: 700, runForMs: 800, maxAttempts: 1 }),
      1500,
      'effect_timed_out',
    ],
    ['a signal', (ctx) => ctx.effect('signal', { name: 's' }, { limits: { runForMs: 900 } }), 900, 'signal_timeout'],
  ])('%s whose time has passed fails when the run continues', async (_name, ask, ms, code) => {
    const directory = new Directory(ask);
    await directory.create();
    expect((await directory.later(ms - 1)).processState).toBe('waiting');
    const { state, processState } = await directory.later(1);
    expect(processState).toBe('completed');
    expect(state.end).toMatchObject({ output: { code } });
    expect((await directory.later(DAY)).divergence).toBeUndefined();
  });

  test('the attempts that the process requested are made, each with its whole time', async () => {
    const directory = new Directory(task({ runForMs: 1000, maxAttempts: 2, onUnknown: 'retry' }));
    await directory.create();
    const again = await directory.later(5000);
    expect(again.pending).toMatchObject([{ attempt: 2, status: 'requested' }]);
    const { state } = await directory.later(1000);
    expect(state.end).toMatchObject({ output: { code: 'effect_timed_out' } });
    const data = { outcome: 'unknown', error: { code: 'effect_timed_out' }, nextAttempt: 2, nextDirective: 'retry' };
    expect(await directory.entries()).toMatchObject([
      { type: 'RUN_CREATED' },
      { type: 'EFFECT_REQUESTED' },
      { type: 'EFFECT_ATTEMPT_FAILED', data },
      { type: 'EFFECT_RESOLVED', data: { attempt: 2, status: 'error', retryable: true } },
      { type: 'RUN_COMPLETED' },
    ]);
  });

  test.each<[name: string, ask: (ctx: ProcessContext) => Promise<unknown>]>([
    ['a task', (ctx) => ctx.task(build, undefined)],
    ['a task by its fields', task()],
    ['a task with other limits than time', task({ maxAttempts: 2 })],
    ['an orchestrator task', (ctx) => ctx.orchestratorTask({ do: 'it' })],
    ['a hook', hook()],
    ['a child run', (ctx) => ctx.child('other#process', null)],
    ['a signal', (ctx) => ctx.signal('s')],
    ['a plan', plan()],
    ['a tool', tool({ maxAttempts: 3 })],
  ])('%s without a limit of the process waits for years', async (_name, ask) => {
    const directory = new Directory(ask);
    await directory.create();
    const local = await directory.later(YEARS);
    expect(local.processState).toBe('waiting');
    await local.post(local.pending[0]?.effectId as string, { status: 'ok', value: 1 });
    expect(local.processState).toBe('completed');
    expect(local.state.end).toHaveProperty('output.value');
  });
});
