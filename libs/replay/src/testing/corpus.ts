import type { JsonObject, JsonValue } from '@reins/contracts';
import { externalEndMark } from '../engine/external-end.ts';
import type { DefinedTask } from '../process-context.ts';
import type { ProcessDefinition } from '../process-definition.ts';
import { definition, draft, RunDriver } from './run-driver.ts';

interface CorpusEntry {
  readonly process: ProcessDefinition;
  record?(): Promise<RunDriver>;
}

/** The request of an effect with these arguments. */
type Request = (args: JsonObject) => JsonObject;
const BARE: Request = (args) => args;
const TASK: Request = (args) => ({ kind: 'node', taskId: 'work', args });

/**
 * The processes whose journals are kept in `testdata/journals/<version>/`. Every later build must replay all of these
 * journals, so these functions never change. Add a new process to cover something new.
 */
export const CORPUS: Readonly<Record<string, CorpusEntry>> = {
  sequence: replayOnly(sequence(BARE)),
  tasks_in_sequence: entryOf(sequence(TASK), async (driver) => {
    await driver.answer('one', { n: 1 });
    await driver.answer('two', 'zwei ä 😀');
    await driver.answer('three', null);
  }),
  side_by_side: replayOnly(sideBySide(BARE)),
  tasks_side_by_side: entryOf(sideBySide(TASK), async (driver) => {
    await driver.answer('b', 2);
    await driver.feed(driver.answered('slow', 's'), driver.answered('a', 1));
    await driver.fail('c', 'model_invalid', 'no such model');
    await driver.answer('after', 'x');
  }),
  every_wait: entryOf(everyWait(), async (driver) => {
    await driver.feed(draft('SIGNAL_RECEIVED', { name: 'early', payload: 0 }));
    await driver.answer('Build it', { value: { out: 'app' } });
    await driver.answer('breakpoint', { approved: true });
    await driver.answer('sleep', null);
    const { effectId } = driver.effect('signal');
    await driver.feed(draft('SIGNAL_RECEIVED', { name: 'go', payload: [1], effectId }), driver.answered('signal', [1]));
    await driver.answer('child', { output: { deep: [true] } });
    await driver.answer('orchestrator-task', { value: 'done' });
    await driver.fail('on-end');
  }),
  steps: entryOf(steps(), (driver) => driver.runSteps()),
  cancelled: replayOnly(cancelled(BARE)),
  tasks_cancelled: entryOf(cancelled(TASK), async (driver) => {
    await driver.answer('quick', 1);
    await driver.cancel('enough');
    await driver.answer('undo', 'ok');
  }),
  halted: replayOnly(halted(BARE)),
  task_halted: entryOf(halted(TASK), async () => undefined),
  without_end: replayOnly(withoutEnd(BARE)),
  stage_attempts: entryOf(stage(), async (driver) => {
    const { effectId, limits } = driver.effect('stage');
    const failure = {
      outcome: 'unknown',
      error: { code: 'effect_timed_out', message: 'late' },
      retryable: true,
    } as const;
    const next = { nextAttempt: 2, nextDirective: 'retry' } as const;
    await driver.feed(draft('EFFECT_CLAIMED', { effectId, attempt: 1, hostId: 'h1' }));
    await driver.feed(draft('EFFECT_ATTEMPT_FAILED', { effectId, attempt: 1, ...failure, ...next }));
    await driver.feed(draft('EFFECT_CLAIMED', { effectId, attempt: 2, hostId: 'h2' }));
    await driver.feed(draft('EFFECT_STARTED', { effectId, attempt: 2, hostId: 'h2' }));
    await driver.answer('stage', { output: limits.prepareForMs ?? null });
  }),
  stage_suspended: entryOf(stage(), async (driver) => {
    const { effectId } = driver.effect('stage');
    const sha256 = 'b'.repeat(64);
    const suspended = { tree: sha256, harnessSessionId: `native@${sha256}`, signals: 3 };
    const waiting = { effectId, reason: 'user', subject: effectId, question: 'which?', suspended } as const;
    await driver.feed(draft('EFFECT_STARTED', { effectId, attempt: 1, hostId: 'h1' }));
    await driver.feed(draft('EFFECT_WAITING', waiting));
    await driver.feed(draft('EFFECT_ANSWERED', { effectId, answer: 'this', resumption: 1 }));
    await driver.feed(draft('EFFECT_CLAIMED', { effectId, attempt: 1, hostId: 'h2' }));
    await driver.answer('stage', { output: 'done' });
  }),
  question_answered_by: entryOf(stage(), async (driver) => {
    const { effectId } = driver.effect('stage');
    const asked = { effectId, reason: 'user', subject: effectId, question: 'which?', questionNumber: 1 } as const;
    await driver.feed(draft('EFFECT_STARTED', { effectId, attempt: 1, hostId: 'h1' }));
    await driver.feed(draft('EFFECT_WAITING', asked));
    const answer = { answer: 'this', idempotencyKey: 'answer-1', answeredBy: 'ann' };
    await driver.feed(draft('EFFECT_ANSWERED', { effectId, ...answer }));
    await driver.answer('stage', { output: 'done' });
  }),
  stage_usage: entryOf(stage(), async (driver) => {
    const { effectId } = driver.effect('stage');
    const usage = { provider: 'p', model: 'm', inputTokens: 7, cachedInputTokens: 2, outputTokens: 3 } as const;
    const error = { code: 'model_unavailable', message: 'gone' };
    const failed = { effectId, attempt: 1, outcome: 'failed', error, retryable: true, nextAttempt: 2 } as const;
    await driver.feed(draft('EFFECT_STARTED', { effectId, attempt: 1, hostId: 'h1' }));
    await driver.feed(draft('EFFECT_ATTEMPT_FAILED', { ...failed, usage, nextDirective: 'retry' }));
    await driver.feed(draft('EFFECT_CLAIMED', { effectId, attempt: 2, hostId: 'h2' }));
    const asked = { effectId, reason: 'user', subject: effectId, question: 'which?', questionNumber: 1 } as const;
    const sha256 = 'b'.repeat(64);
    const suspended = { tree: sha256, harnessSessionId: `native@${sha256}`, signals: 3 };
    await driver.feed(draft('EFFECT_WAITING', { ...asked, suspended, usage: { ...usage, costUsd: 0.25 } }));
    const answer = { answer: 'this', resumption: 1, idempotencyKey: 'answer-1' };
    await driver.feed(draft('EFFECT_ANSWERED', { effectId, ...answer }));
    await driver.answer('stage', { output: 'done', usage: { ...usage, source: 'estimated' } });
  }),
  decided_by: entryOf(decided(), async (driver) => {
    const approval = driver.effect('breakpoint');
    const { effectId: approvalId, attempt } = approval;
    const decision = { approvalId, effectId: approvalId, decision: 'approved', decidedBy: 'ann' } as const;
    await driver.feed(
      draft('APPROVAL_RESOLVED', { ...decision, comment: 'go' }),
      draft('EFFECT_RESOLVED', { effectId: approvalId, attempt, status: 'ok', value: { approved: true } }),
    );
    const task = driver.effect('task');
    const done = { effectId: task.effectId, attempt: task.attempt, status: 'ok', value: 1, answeredBy: 'bob' } as const;
    await driver.feed(draft('EFFECT_RESOLVED', done));
    await driver.feed(draft('RUN_PAUSED', { reason: 'lunch', requestedBy: 'ann', idempotencyKey: 'pause-1' }));
    await driver.feed(draft('RUN_RESUMED', { requestedBy: 'bob', idempotencyKey: 'resume-1' }));
    const halt = { reason: 'enough', payload: { seen: 3 }, requestedBy: 'ann' };
    const { effectId } = driver.effect('go');
    const cancelled = draft('EFFECT_CANCELLED', { effectId, attempt: 1, confirmed: false });
    driver.commit([cancelled, externalEndMark({ reason: 'enough' }), draft('RUN_HALTED', halt)]);
  }),
  cancelled_by: entryOf(decided(), async (driver) => {
    const who = { reason: 'not now', requestedBy: 'ann', idempotencyKey: 'cancel-1' };
    await driver.feed(draft('RUN_CANCEL_REQUESTED', who));
  }),
  tasks_without_end: entryOf(withoutEnd(TASK), async (driver) => {
    await driver.feed(draft('SIGNAL_RECEIVED', { name: 'stop', payload: 'now' }));
    for (let i = 0; i < 3; i += 1) await driver.answer('work', i);
  }),
};

/**
 * A process whose requests were valid when its journals were recorded, but are not any more. It is replayed and never
 * recorded again.
 */
function replayOnly(process: ProcessDefinition): CorpusEntry {
  return { process };
}

function entryOf(process: ProcessDefinition, drive: (driver: RunDriver) => Promise<void>): CorpusEntry {
  const record = async () => {
    const driver = await RunDriver.start(process, { n: 7 });
    await drive(driver);
    return driver;
  };
  return { process, record };
}

function sequence(request: Request): ProcessDefinition {
  return definition(async (ctx, inputs) => {
    const one = await ctx.effect('task', request({ inputs, drawn: ctx.random() }), { label: 'one' });
    ctx.log('one is there', one);
    const two = await ctx.effect('task', request({ one, id: ctx.uuid() }), { label: 'two', key: 'mine' });
    const way = ctx.patched('third') ? 'new' : 'old';
    return [one, two, way, ctx.now().toISOString(), await ctx.effect('task', request({ two }), { label: 'three' })];
  });
}

function stage(): ProcessDefinition {
  const sha256 = 'a'.repeat(64);
  const request = { stage: 'execute', runtimeId: 'echo', hostRequestRef: { sha256, size: 1 }, tree: sha256 };
  return definition(async (ctx) => ctx.effect('stage', request, { label: 'stage', limits: { prepareForMs: 5_000 } }));
}

function decided(): ProcessDefinition {
  return definition(async (ctx) => {
    const decision = await ctx.breakpoint({ question: 'ship?' });
    const task = await ctx.effect('task', TASK({ decision }), { label: 'work' });
    return [task, await ctx.signal('go', { label: 'green light' })];
  });
}

function sideBySide(request: Request): ProcessDefinition {
  return definition(async (ctx) => {
    const ask = (label: string) => ctx.effect('task', request({ label }), { label });
    const [race, all] = await Promise.all([
      Promise.race([ask('slow'), ask('b')]),
      ctx.parallel.map(['a', 'c'], (label) => ask(label).catch((error: Error) => error.message), { maxConcurrency: 1 }),
    ]);
    return [race, all, await ask('after')];
  });
}

const build: DefinedTask<JsonObject> = { id: 'build', build: (args) => ({ kind: 'node', title: 'Build it', args }) };

function everyWait(): ProcessDefinition {
  return definition(async (ctx) => {
    const results: JsonValue[] = [await ctx.task(build, { target: 'app' })];
    results.push(await ctx.breakpoint({ question: 'ship?' }, { label: 'Ship', expiresAt: '2027-01-01T00:00:00Z' }));
    await ctx.sleepUntil('2026-06-01T00:00:00Z');
    results.push(await ctx.signal('early'), await ctx.signal('go'));
    results.push(await ctx.child('other#main', { n: 1 }));
    results.push(await ctx.orchestratorTask({ do: 'it' }));
    results.push(await ctx.hook('on-end', { ok: true }));
    return results;
  });
}

function steps(): ProcessDefinition {
  let tries = 0;
  const flaky = () => {
    tries += 1;
    if (tries === 1) throw new Error('not yet');
    return 'at last';
  };
  return definition(async (ctx) => [
    await ctx.step('one', () => 1),
    await ctx.step('flaky', flaky),
    await ctx.step('three', async () => ({ n: 3 })),
  ]);
}

function cancelled(request: Request): ProcessDefinition {
  return definition(async (ctx) => {
    ctx.onCleanup(async () => void (await ctx.effect('task', request({}), { label: 'undo' })));
    await ctx.scope(async (scope) => {
      void ctx.effect('task', request({}), { label: 'slow' });
      await ctx.effect('task', request({}), { label: 'quick' });
      scope.cancel('quick was enough');
    });
    return ctx.effect('task', request({}), { label: 'never' });
  });
}

function halted(request: Request): ProcessDefinition {
  return definition(async (ctx) => {
    void ctx.effect('task', request({}), { label: 'side' });
    return ctx.halt('nothing to do', { seen: 3 });
  });
}

function withoutEnd(request: Request): ProcessDefinition {
  return definition(async (ctx, inputs) => {
    const { n } = inputs as { n: number };
    await ctx.effect('task', request({ n, drawn: ctx.random() }), { label: 'work' });
    return n < 9 ? ctx.continueAsNew({ n: n + 1 }) : ctx.signal('stop');
  });
}
