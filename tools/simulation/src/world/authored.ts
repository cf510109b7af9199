import type { JsonValue } from '@reins/contracts';
import type { DefinedTask, ProcessDefinition } from '@reins/replay';
import { type BabysitterProcess, babysitterProcess } from '@reins/replay/babysitter';

const FILE = 'process/main.ts';
/** The default process of the workspace. */
export const MAIN = `${FILE}#whole`;
/** An input that every process of the workspace rejects. */
export const INVALID_INPUT = 'unfit';

const task = (id: string): DefinedTask<JsonValue> => ({ id, build: (args) => ({ kind: 'node', args }) });

/** Uses random values, sequential and concurrent effects, and a clean-up. */
const whole: BabysitterProcess = async (_, ctx) => {
  ctx.onCleanup(async () => {
    await ctx.task(task('tidy'), null);
  });
  const drawn = [ctx.random(), ctx.uuid(), ctx.now().getTime()];
  const both = await Promise.all([ctx.task(task('work'), drawn), ctx.signal('go'), ctx.step('drawn', () => drawn)]);
  await ctx.sleepUntil(ctx.now().getTime() + 20_000);
  return [...both, await ctx.child(`${FILE}#part`, { n: 1 }), ctx.uuid()];
};

/** The child process of `whole` and `family`. */
const part: BabysitterProcess = async (inputs, ctx) => [
  inputs ?? null,
  await ctx.step('part', () => ctx.random()),
  await ctx.task(task('part'), null),
];

/** Steps, one of which always fails. */
const steps: BabysitterProcess = async (_, ctx) => {
  const failing = ctx
    .step('failing', () => Promise.reject(new Error('never')), { maxAttempts: 2, backoffMs: 500 })
    .catch(() => 'given up');
  return Promise.all([ctx.step('one', () => 1), failing, ctx.task(task('alongside'), null)]);
};

/** A child run next to a task. If one fails, the process continues with another task. */
const family: BabysitterProcess = async (_, ctx) => {
  const both = [ctx.child(`${FILE}#part`, { n: 2 }), ctx.task(task('alongside'), null)];
  return Promise.all(both).catch(async (error) => [String(error), await ctx.task(task('instead'), null)]);
};

/** Cancels a scope. */
const scopes: BabysitterProcess = async (_, ctx) => {
  const raced = await ctx
    .scope(async (scope) => {
      const slow = Promise.all([ctx.task(task('slow'), 1), ctx.task(task('slow'), 2)]);
      const quick = ctx.sleepUntil(ctx.now().getTime() + 3_000).then(() => scope.cancel('too slow'));
      return await Promise.race([slow, quick.then(() => slow)]);
    })
    .catch(() => 'cancelled');
  return [raced, await ctx.task(task('last'), null)];
};

/** Restarts itself with `continueAsNew`. */
const restarting: BabysitterProcess = async (inputs, ctx) => {
  await ctx.task(task('round'), inputs ?? null);
  if (inputs !== 'again') ctx.continueAsNew('again');
  return ctx.uuid();
};

/** Newer code requests one more task, guarded by `ctx.patched`. */
const grown =
  (codeHash: string): BabysitterProcess =>
  async (_, ctx) => {
    await ctx.task(task('before'), null);
    const more = codeHash === 'a2' && ctx.patched('more') ? [await ctx.task(task('more'), null)] : [];
    return [...more, await ctx.task(task('after'), null)];
  };

/** Newer code diverges from recorded journals. */
const changed =
  (codeHash: string): BabysitterProcess =>
  async (_, ctx) => {
    await ctx.task(task('before'), null);
    return ctx.task(task(`after-${codeHash}`), null);
  };

const PROCESSES: Readonly<Record<string, (codeHash: string) => BabysitterProcess>> = {
  [MAIN]: () => whole,
  [`${FILE}#part`]: () => part,
  [`${FILE}#steps`]: () => steps,
  [`${FILE}#family`]: () => family,
  [`${FILE}#scopes`]: () => scopes,
  [`${FILE}#restarting`]: () => restarting,
  [`${FILE}#grown`]: grown,
  [`${FILE}#changed`]: changed,
};

export const isAuthoredHere = (id: string): boolean => id in PROCESSES;

/** Whether newer code may decide differently. Its runs may then wait for an operator. */
export const isVersioned = (id: string): boolean => id.endsWith('#grown') || id.endsWith('#changed');

/** The processes of the workspace in one version of its code. */
export const authoredProcesses =
  (codeHash: string) =>
  (id: string): ProcessDefinition => {
    const process = PROCESSES[id]?.(codeHash);
    if (!process) throw new TypeError(`unknown process ${id}`);
    return babysitterProcess(id, codeHash, process);
  };
