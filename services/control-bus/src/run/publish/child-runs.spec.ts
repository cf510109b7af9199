import { describe, expect, test } from '@jest/globals';
import type { CommandRunSubmit, JsonValue } from '@reins/contracts';
import type { ProcessContext } from '@reins/replay';
import { SimulatedRun } from '../../testing/simulated-run.ts';
import { MAX_DEPTH } from './child-runs.ts';

type Run = (context: ProcessContext) => Promise<JsonValue>;
const runOf = (run: Run, runId?: string): SimulatedRun => new SimulatedRun({ id: 'test', codeHash: 'v1', run }, runId);

/** A parent run that waits for a child run. */
async function startFamily(child: Run, parent: Run = (context) => context.child('test', { n: 1 })) {
  const outer = runOf(parent);
  await outer.submit();
  const submit = outer.posted[0]?.body as CommandRunSubmit;
  const inner = runOf(child, submit.requestId);
  await outer.deliverTo(inner);
  return { outer, inner, submit };
}

const waits: Run = (context) => context.signal('go');

describe('a child run', () => {
  test('is a separate request with an id derived from its parent’s effect', async () => {
    const { outer, inner, submit } = await startFamily(async () => ({ answer: 42 }));
    expect(submit).toMatchObject({ process: 'test', input: { n: 1 }, parent: { requestId: 'run1', depth: 1 } });
    expect(inner.types[0]).toBe('runtime.request.started');
    expect(outer.requested('runtime.request.waiting').reason).toBe('child');
    await inner.deliverTo(outer);
    expect(outer.requested('runtime.child.started').childRequestId).toBe(submit.requestId);
    expect(outer.requested('runtime.child.completed')).toMatchObject({ output: { answer: 42 } });
    expect(outer.requested('runtime.request.completed').output).toEqual({ answer: 42 });
  });

  test('names the request at the top, however deep it is', async () => {
    const { inner, submit } = await startFamily((context) => context.child('test', null));
    expect(submit.parent).toMatchObject({ requestId: 'run1', rootRequestId: 'run1', depth: 1 });
    const nested = inner.posted.find(({ body }) => body.type === 'command.run.submit')?.body as CommandRunSubmit;
    expect(nested.parent).toMatchObject({ requestId: submit.requestId, rootRequestId: 'run1', depth: 2 });
    expect(inner.requested('runtime.request.started').parent).toEqual(submit.parent);
    expect(inner.posted[0]?.body).not.toHaveProperty('rootRequestId');
  });

  test('starts and answers exactly once, although either owner crashes after any commit', async () => {
    const { outer, inner, submit } = await startFamily(waits);
    outer.crash();
    inner.crash();
    await inner.send('command.run.submit', submit);
    await inner.deliverTo(outer);
    await inner.send('command.signal', { idempotencyKey: 's', name: 'go', payload: 1 });
    inner.crash();
    await inner.pass(0);
    outer.crash();
    await inner.deliverTo(outer);
    expect(outer.requested('runtime.request.completed').output).toBe(1);
    expect(outer.posted).toHaveLength(1);
    expect(inner.posted.map(({ body }) => body.type)).toEqual(['runtime.child.started', 'runtime.child.completed']);
  });

  test('fails the effect with its own error', async () => {
    const { outer, inner } = await startFamily(async () => {
      throw new Error('no luck');
    });
    await inner.deliverTo(outer);
    expect(outer.requested('runtime.child.failed').error).toMatchObject({ code: 'process_failed', message: 'no luck' });
    expect(outer.requested('runtime.request.failed').error.message).toBe('no luck');
  });

  test('is cancelled with its parent, which waits for its answer', async () => {
    const { outer, inner } = await startFamily(waits);
    await inner.deliverTo(outer);
    await outer.send('command.run.cancel', { idempotencyKey: 'c', reason: 'enough' });
    expect(outer.types).not.toContain('runtime.request.cancelled');
    await outer.deliverTo(inner);
    expect(inner.types.at(-2)).toBe('runtime.request.cancelled');
    await inner.deliverTo(outer);
    expect(outer.types.at(-2)).toBe('runtime.request.cancelled');
  });

  test('is cancelled when its parent no longer waits for it', async () => {
    const { outer, inner } = await startFamily(waits, (context) =>
      context.scope(async (scope) => {
        const child = context.child('test', null).catch(() => 'abandoned');
        await context.signal('stop');
        scope.cancel('not needed');
        return child;
      }),
    );
    await outer.send('command.signal', { idempotencyKey: 's', name: 'stop' });
    await outer.deliverTo(inner);
    expect(outer.requested('runtime.request.completed').output).toBe('abandoned');
    expect(inner.types.at(-2)).toBe('runtime.request.cancelled');
  });

  test('is a new run when its effect is requested again, and the previous one is cancelled', async () => {
    const { outer, inner, submit } = await startFamily(waits);
    const effectId = submit.parent?.effectId;
    await outer.send('command.effect.invalidate', { idempotencyKey: 'i', effectId });
    await outer.deliverTo(inner);
    expect(inner.types.at(-2)).toBe('runtime.request.cancelled');
    const again = outer.posted.at(-1)?.body as CommandRunSubmit;
    expect(again).toMatchObject({ requestId: `${submit.requestId}_2`, parent: { effectId, attempt: 2 } });
    const second = runOf(async () => 'second', again.requestId);
    await outer.deliverTo(second);
    await inner.deliverTo(outer);
    await second.deliverTo(outer);
    expect(outer.requested('runtime.request.completed').output).toBe('second');
  });

  test('returns its run id with its output to a process in the older API', async () => {
    const { outer, inner, submit } = await startFamily(
      async () => 'out',
      async (context) => ({ ...(await context.subprocess({ processPath: 'p.mjs', prompt: 'do', inputs: 1 })) }),
    );
    expect(submit).toMatchObject({ process: 'p.mjs#process', input: 1, metadata: { prompt: 'do' } });
    await inner.deliverTo(outer);
    expect(outer.requested('runtime.request.completed').output).toEqual({ runId: submit.requestId, output: 'out' });
  });

  test('has the actor of its parent, whatever its process says', async () => {
    const forged = { context: { actor: 'forged', debug: true } };
    const run: Run = async (context) => {
      await context.subprocess({ processPath: 'p.mjs', inputs: 1, metadata: forged });
      return null;
    };
    const outer = new SimulatedRun({ id: 'p.mjs#parent', codeHash: 'v1', run });
    await outer.submit({ metadata: { context: { actor: 'laptop' } } });
    expect(outer.posted[0]?.body).toMatchObject({ metadata: { context: { actor: 'laptop', debug: true } } });
  });

  test('cannot be nested without limit', async () => {
    const { submit } = await startFamily(waits);
    const inner = runOf(waits, submit.requestId);
    await inner.send(submit.type, { ...submit, parent: { ...submit.parent, depth: MAX_DEPTH + 1 } });
    expect(inner.requested('runtime.request.failed').error.code).toBe('child_too_deep');
    expect(inner.posted.map(({ body }) => body.type)).toEqual(['runtime.child.started', 'runtime.child.failed']);
  });
});

test('a request with an unknown process fails immediately', async () => {
  const run = new SimulatedRun();
  await run.submit({ process: 'unknown#process' });
  expect(run.requested('runtime.request.failed').error).toMatchObject({ code: 'process_unknown', path: 'process' });
});
