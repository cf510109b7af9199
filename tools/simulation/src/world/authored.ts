import type { JsonValue } from '@reins/contracts';
import type { DefinedTask, ProcessDefinition } from '@reins/replay';
import { type BabysitterProcess, babysitterProcess } from '@reins/replay/babysitter';

const FILE = 'process/main.ts';
/** The process of a workspace. */
export const MAIN = `${FILE}#whole`;
/** An input that no process of the workspace takes. */
export const UNFIT = 'unfit';

const task = (id: string): DefinedTask<JsonValue> => ({ id, build: (args) => ({ kind: 'node', args }) });

/** What is drawn, asked for and waited for, one after the other and side by side, and a clean-up. */
const whole: BabysitterProcess = async (_, ctx) => {
  ctx.onCleanup(async () => {
    await ctx.task(task('tidy'), null);
  });
  const drawn = [ctx.random(), ctx.uuid(), ctx.now().getTime()];
  const both = await Promise.all([ctx.task(task('work'), drawn), ctx.signal('go'), ctx.step('drawn', () => drawn)]);
  await ctx.sleepUntil(ctx.now().getTime() + 20_000);
  return [...both, await ctx.child(`${FILE}#part`, { n: 1 }), ctx.uuid()];
};

/** What children do. */
const part: BabysitterProcess = async (inputs, ctx) => [
  inputs ?? null,
  await ctx.step('part', () => ctx.random()),
  await ctx.task(task('part'), null),
];

/** Steps of which some fail, and one that needs a second go. */
const steps: BabysitterProcess = async (_, ctx) => {
  const hopeless = ctx
    .step('hopeless', () => Promise.reject(new Error('never')), { maxAttempts: 2, backoffMs: 500 })
    .catch(() => 'given up');
  return Promise.all([ctx.step('one', () => 1), hopeless, ctx.task(task('beside'), null)]);
};

/** Work beside a run inside the run, which goes on for a while when both are let go of. */
const family: BabysitterProcess = async (_, ctx) => {
  const both = [ctx.child(`${FILE}#part`, { n: 2 }), ctx.task(task('beside'), null)];
  return Promise.all(both).catch(async (error) => [String(error), await ctx.task(task('instead'), null)]);
};

/** Lets go of a part of itself. */
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

/** Begins again. */
const anew: BabysitterProcess = async (inputs, ctx) => {
  await ctx.task(task('round'), inputs ?? null);
  if (inputs !== 'again') ctx.continueAsNew('again');
  return ctx.uuid();
};

/** Newer code asks for more, of those that have not come so far. */
const grown =
  (codeHash: string): BabysitterProcess =>
  async (_, ctx) => {
    await ctx.task(task('before'), null);
    const more = codeHash === 'a2' && ctx.patched('more') ? [await ctx.task(task('more'), null)] : [];
    return [...more, await ctx.task(task('after'), null)];
  };

/** Newer code does something else, whoever comes. */
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
  [`${FILE}#anew`]: () => anew,
  [`${FILE}#grown`]: grown,
  [`${FILE}#changed`]: changed,
};

export const isAuthoredHere = (id: string): boolean => id in PROCESSES;

/** Whether other code may come to other decisions: then runs wait for an operator, and rightly so. */
export const isVersioned = (id: string): boolean => id.endsWith('#grown') || id.endsWith('#changed');

/** The processes of the workspace under one version of its code. */
export const authoredProcesses =
  (codeHash: string) =>
  (id: string): ProcessDefinition => {
    const process = PROCESSES[id]?.(codeHash);
    if (!process) throw new TypeError(`there is no process ${id}`);
    return babysitterProcess(id, codeHash, process);
  };
