import type { JsonValue } from '@reins/contracts';
import { type BuiltInProcess, processOf } from '@reins/control-bus/core';
import { BARE_RUN } from '@reins/journal';
import type { DefinedTask, ProcessContext } from '@reins/replay';

const task = (id: string): DefinedTask<JsonValue> => ({ id, build: (args) => ({ kind: 'node', args }) });

type Run = BuiltInProcess['run'];

/** Effects of every kind, some concurrent, and a clean-up. */
const everything: Run = async (context) => {
  context.onCleanup(async () => {
    await context.task(task('tidy'), null);
  });
  const both = await Promise.all([context.task(task('work'), 1), context.signal('go')]);
  const decided = await context.breakpoint({ question: 'on?' });
  await context.sleepUntil(context.now().getTime() + 45_000);
  const step = await context.step('count', () => 'counted');
  const child = await context.child('small', { n: 1 });
  return [...both, decided, step, child, context.random() < 2];
};

/** The child process. */
const small: Run = async (context) => {
  const worked = await context.task(task('small'), null);
  return [worked, await context.step('small', () => 1)];
};

/** Failing local steps, concurrent with a signal. */
const steps: Run = async (context) => {
  let tries = 0;
  const flaky = context.step('flaky', () => {
    tries += 1;
    if (tries % 2 === 1) throw new Error('not yet');
    return 'at last';
  });
  const failing = context
    .step('failing', () => Promise.reject(new Error('never')), { maxAttempts: 2, backoffMs: 500 })
    .catch(() => 'given up');
  return Promise.all([flaky, failing, context.signal('go', { deadline: context.now().getTime() + 30_000 })]).catch(
    () => 'no signal',
  );
};

/** Cancels a scope, and runs a shielded task. */
const scopes: Run = async (context) => {
  const raced = await context
    .scope(async (scope) => {
      const slow = context.task(task('slow'), null);
      const quick = context.sleepUntil(context.now().getTime() + 3_000).then(() => scope.cancel('too slow'));
      return await Promise.race([slow, quick.then(() => slow)]);
    })
    .catch(() => 'cancelled');
  return context.shield(async () => [raced, await context.task(task('last'), null)]);
};

/** Restarts itself twice with `continueAsNew`. */
const restarting: Run = async (context, { inputs }) => {
  const round = typeof inputs.metadata?.round === 'number' ? inputs.metadata.round : 0;
  await context.task(task(`round-${round}`), round);
  if (round < 2) context.continueAsNew({ ...inputs, metadata: { round: round + 1 } } as unknown as JsonValue);
  return round;
};

/** Fails until an operator halts or cancels it. */
const broken: Run = async (context) => {
  await context.task(task('before'), null);
  throw new Error('this process has a bug');
};

/** Concurrent child runs, one of them with an unknown process. */
const family: Run = async (context: ProcessContext) => {
  const children = [context.child('small', { n: 1 }), context.child('steps', { n: 2 })];
  const stranger = context.child('unknown', null).catch((error: unknown) => String(error));
  return Promise.all([...children, stranger]);
};

/** Takes as many signals as its input says. Returns their payloads in order of arrival. */
const collect: Run = async (context, { inputs }) => {
  const payloads: JsonValue[] = [];
  while (payloads.length < Number(inputs.input)) payloads.push(await context.signal('n'));
  return payloads;
};

/** Ends at once. */
const probe: Run = (context) => context.step('probe', () => 1);

export const COLLECT = 'collect';
export const PROBE = 'probe';

const OWN: Readonly<Record<string, Omit<BuiltInProcess, 'id' | 'codeHash'>>> = {
  everything: { run: everything },
  small: { run: small },
  steps: { run: steps },
  scopes: { run: scopes },
  restarting: { run: restarting },
  broken: { run: broken, onError: 'operator' },
  family: { run: family },
  [COLLECT]: { run: collect },
  [PROBE]: { run: probe },
};

/** The processes that clients submit, with weights. */
export const PROCESSES: readonly { readonly id: string; readonly weight: number }[] = [
  { id: 'pipeline', weight: 8 },
  { id: 'direct-tool', weight: 1 },
  { id: 'workflow', weight: 1 },
  { id: 'everything', weight: 4 },
  { id: 'steps', weight: 2 },
  { id: 'scopes', weight: 2 },
  { id: 'restarting', weight: 2 },
  { id: 'broken', weight: 1 },
  { id: 'family', weight: 2 },
  { id: BARE_RUN, weight: 2 },
  { id: 'process/main.ts#whole', weight: 3 },
  { id: 'process/main.ts#steps', weight: 1 },
  { id: 'process/main.ts#family', weight: 1 },
  { id: 'process/main.ts#scopes', weight: 1 },
  { id: 'process/main.ts#restarting', weight: 1 },
  { id: 'process/main.ts#grown', weight: 2 },
  { id: 'process/main.ts#changed', weight: 2 },
  { id: 'process/main.ts#missing', weight: 1 },
];

/**
 * Looks up processes.
 * @param codeHash of the simulation's own processes; their behaviour does not depend on it
 */
export const processesOf =
  (codeHash: string) =>
  (id: string, started?: string): BuiltInProcess => {
    const own = OWN[id];
    return own ? { id, codeHash, ...own } : processOf(id, started);
  };
