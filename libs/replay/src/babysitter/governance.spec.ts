import { describe, expect, test } from '@jest/globals';
import type { JsonValue } from '@reins/contracts';
import { memoryStream, streamJournalStore } from '@reins/journal';
import { requireProcessContext } from '../context/process-storage.ts';
import { LocalRun } from '../local/local-run.ts';
import { node } from '../testing/babysitter-fixture.ts';
import { type BabysitterProcess, babysitterProcess, type Governance, governanceProblems } from './index.ts';

const warns = (operator: string, value: JsonValue, field: JsonValue = 'taskId') => ({
  action: 'warn',
  conditions: [{ field, operator, value }],
});

test.each([
  ['an unknown operator', warns('sounds-like', 'x'), 'policyRules[1].conditions[0].operator'],
  ['an invalid pattern', warns('matches', '['), 'policyRules[1].conditions[0].value'],
  ['a field that is not a string', warns('eq', 1, 1), 'policyRules[1].conditions[0].field'],
  ['an unknown action', { action: 'ask' }, 'policyRules[1].action'],
  ['a rule that is not an object', 'deny', 'policyRules[1]'],
])('%s is detected before the run; a run with it requests nothing', async (_, rule, path) => {
  const governance = { policyRules: [warns('matches', '^other'), rule] };
  expect(governanceProblems(governance)).toEqual([{ path, message: expect.any(String) }]);
  const options = { store: streamJournalStore(memoryStream()), run: { workspaceId: 'local', runId: 'run-1' } };
  const definition = babysitterProcess('p', 'v1', async (_inputs, ctx) => ctx.task(node, 1), {
    governance: governance as unknown as Governance,
  });
  const { state } = await LocalRun.create({ ...options, definition }, { inputs: null });
  expect(state.end).toMatchObject({
    status: 'failed',
    error: { message: 'a policy rule is invalid', name: 'RunFailedError' },
  });
  expect(state.effects.size).toBe(0);
});

const RUN = { workspaceId: 'local', runId: 'run-1' };
const denies = (effectKind: string): Governance => ({
  policyRules: [{ id: 'no', action: 'deny', conditions: [{ field: 'effectKind', operator: 'eq', value: effectKind }] }],
});
const sh = { id: 'sh', build: () => ({ kind: 'shell' }) };

/** The ways in which a process can request an effect of the kind that is denied. */
const WAYS: Readonly<Record<string, readonly [kind: string, BabysitterProcess]>> = {
  'a task': ['shell', async (_, ctx) => ctx.task(sh, null)],
  'a task of the context that it was not given': ['shell', async () => requireProcessContext().task(sh, null)],
  'an effect': ['shell', async (_, ctx) => ctx.effect('task', { kind: 'shell', taskId: 't' })],
  'an effect of that context': [
    'shell',
    async () => requireProcessContext().effect('task', { kind: 'shell', taskId: 't' }, { key: 'k' }),
  ],
  'a task whose definition has another kind': [
    'shell',
    async (_, ctx) => ctx.effect('task', { kind: 'node', taskId: 't', definition: { kind: 'shell' } }),
  ],
  'tasks of nested helpers': [
    'shell',
    async (_, ctx) =>
      ctx.parallel.all([() => ctx.scope(() => ctx.shield(() => requireProcessContext().task(sh, null)))]),
  ],
  'the task of the orchestrator': ['orchestrator_task', async (_, ctx) => ctx.orchestratorTask({})],
  'a hook': ['hook', async (_, ctx) => ctx.hook('pre-commit', {})],
  'a child run': ['child', async (_, ctx) => ctx.child('other.mjs', null)],
  'a breakpoint': ['breakpoint', async (_, ctx) => ctx.breakpoint({ question: 'why' })],
  'a tool': ['tool.direct', async (_, ctx) => ctx.effect('tool.direct', { toolId: 't', args: {} })],
};

describe('a denied effect is not requested', () => {
  test.each(Object.entries(WAYS))('%s', async (_, [kind, process]) => {
    const store = streamJournalStore(memoryStream());
    const definition = babysitterProcess('p', 'v1', process, { governance: denies(kind) });
    const { state } = await LocalRun.create({ store, run: RUN, definition }, { inputs: null });
    expect(state.end).toMatchObject({ status: 'failed', error: { name: 'RunFailedError' } });
    expect(state.effects.size).toBe(0);
    const { entries } = await store.load(RUN);
    expect(entries.map(({ type }) => type)).toEqual(['RUN_CREATED', 'PROCESS_LOG', 'RUN_FAILED']);
    // A replay denies it too.
    expect((await LocalRun.open({ store, run: RUN, definition })).processState).toBe('failed');
  });

  test('its label counts, also where no definition has it', async () => {
    const governance: Governance = {
      policyRules: [{ action: 'deny', conditions: [{ field: 'labels', operator: 'contains', value: 'prod' }] }],
    };
    const definition = babysitterProcess(
      'p',
      'v1',
      async (_, ctx) => ctx.effect('task', { kind: 'node', taskId: 't' }, { label: 'prod' }),
      { governance },
    );
    const store = streamJournalStore(memoryStream());
    const { state } = await LocalRun.create({ store, run: RUN, definition }, { inputs: null });
    expect(state.effects.size).toBe(0);
  });

  test('an effect that the journal has is replayed', async () => {
    const store = streamJournalStore(memoryStream());
    const process: BabysitterProcess = async (_, ctx) => ctx.hook('pre-commit', {});
    await LocalRun.create({ store, run: RUN, definition: babysitterProcess('p', 'v1', process) }, { inputs: null });
    const definition = babysitterProcess('p', 'v1', process, { governance: denies('hook') });
    const local = await LocalRun.open({ store, run: RUN, definition });
    expect([local.processState, local.pending.length]).toEqual(['waiting', 1]);
  });
});
