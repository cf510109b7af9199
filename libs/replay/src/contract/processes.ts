import type { JsonValue } from '@reins/contracts';
import type { ProcessContext } from '../process-context.ts';

/** The processes that every runner runs. They import nothing, so that a sandbox needs this module alone. */

export async function sequence(inputs: JsonValue = null, ctx: ProcessContext): Promise<JsonValue> {
  const one = await ctx.effect('task', { kind: 'node', taskId: 't', inputs, drawn: ctx.random() }, { label: 'one' });
  ctx.log('one is there', JSON.stringify(one));
  const two = await ctx.effect(
    'task',
    { kind: 'node', taskId: 't', one, id: ctx.uuid(), at: ctx.now().toISOString() },
    { key: 'mine' },
  );
  return { one, two, way: ctx.patched('third') ? 'new' : 'old' };
}

export async function waits(_inputs: unknown, ctx: ProcessContext): Promise<JsonValue> {
  const early = await ctx.signal('early');
  const results = await ctx.parallel.all<JsonValue>([
    () => ctx.sleepUntil('2030-01-01T00:00:00.000Z').then(() => null),
    () => ctx.signal('go', { deadline: '2031-01-01T00:00:00.000Z' }),
    () => ctx.breakpoint({ question: 'Ship it?' }),
    () => ctx.child('other', { n: 1 }),
    () => ctx.effect('task', { kind: 'node', taskId: 't' }, { label: 'fails' }).catch((error: Error) => error.message),
  ]);
  return { early, results };
}

export async function steps(_inputs: unknown, ctx: ProcessContext): Promise<JsonValue> {
  let tries = 0;
  const flaky = () => {
    tries += 1;
    if (tries < 2) throw new Error('not yet');
    return tries;
  };
  const good = await ctx.step('good', async () => ({ n: 1 }));
  const second = await ctx.step('flaky', flaky, { maxAttempts: 3, backoffMs: 1 });
  const bad = await ctx
    .step('bad', () => Promise.reject(new Error('never')), { maxAttempts: 1 })
    .catch((error: Error) => error.message);
  return { good, second, bad: bad as JsonValue };
}

export async function cleansUp(_inputs: unknown, ctx: ProcessContext): Promise<JsonValue> {
  ctx.onCleanup(() => ctx.effect('task', { kind: 'node', taskId: 't' }, { label: 'undo' }).then(() => undefined));
  const scoped = ctx.scope(async (scope) => {
    const both = [
      ctx.effect('task', { kind: 'node', taskId: 't' }, { label: 'left' }),
      ctx.effect('task', { kind: 'node', taskId: 't' }, { label: 'right' }),
    ];
    const first = await Promise.race(both);
    scope.cancel('one is enough');
    return first;
  });
  return [await scoped, await ctx.shield(() => ctx.effect('task', { kind: 'node', taskId: 't' }, { label: 'kept' }))];
}

export async function mistaken(_inputs: unknown, ctx: ProcessContext): Promise<JsonValue> {
  const answer = await ctx.effect('task', { kind: 'node', taskId: 't' }, { label: 'one' });
  throw new TypeError(`cannot use ${JSON.stringify(answer)}`);
}

export async function halts(_inputs: unknown, ctx: ProcessContext): Promise<JsonValue> {
  await ctx.effect('task', { kind: 'node', taskId: 't' }, { label: 'one' });
  return ctx.halt('nothing to do', { left: 2 });
}

export async function withoutEnd(inputs: unknown, ctx: ProcessContext): Promise<JsonValue> {
  const n = typeof inputs === 'number' ? inputs : 0;
  await ctx.effect('task', { kind: 'node', taskId: 't', n, drawn: ctx.random() }, { label: 'work' });
  return n < 2 ? ctx.continueAsNew(n + 1) : n;
}

/** Interprets its inputs as a program, for property-based tests. */
export async function generated(inputs: unknown, ctx: ProcessContext): Promise<JsonValue> {
  return interpret(inputs as unknown as readonly Operation[], ctx);
}

/** One operation of such a program. */
export type Operation =
  | { readonly does: 'ask'; readonly n: number; readonly key?: string }
  | { readonly does: 'draw' }
  | { readonly does: 'say'; readonly text: string }
  | { readonly does: 'step'; readonly n: number }
  | { readonly does: 'patch'; readonly id: string }
  | { readonly does: 'parallel'; readonly parts: readonly (readonly Operation[])[] }
  | { readonly does: 'race'; readonly parts: readonly (readonly Operation[])[] };

async function interpret(program: readonly Operation[], ctx: ProcessContext): Promise<JsonValue> {
  const results: JsonValue[] = [];
  for (const operation of program) {
    try {
      results.push(await perform(operation, ctx));
    } catch (error) {
      results.push(`failed: ${(error as Error).message}`);
    }
  }
  return results;
}

async function perform(operation: Operation, ctx: ProcessContext): Promise<JsonValue> {
  switch (operation.does) {
    case 'ask': {
      const { n, key } = operation;
      return ctx.effect(
        'task',
        { kind: 'node', taskId: 't', n, at: ctx.now().getTime() },
        key === undefined ? {} : { key: `${key}${n}` },
      );
    }
    case 'draw':
      return [ctx.random(), ctx.uuid()];
    case 'say':
      ctx.log(operation.text);
      return null;
    case 'step':
      return ctx.step(`step${operation.n}`, () => operation.n);
    case 'patch':
      return ctx.patched(operation.id);
    case 'parallel':
      return Promise.all(operation.parts.map((part) => interpret(part, ctx)));
    case 'race':
      return Promise.race(operation.parts.map((part) => interpret(part, ctx)));
  }
}

/** All processes, by the names of their exports. */
export const PROCESSES = { sequence, waits, steps, cleansUp, mistaken, halts, withoutEnd, generated };
