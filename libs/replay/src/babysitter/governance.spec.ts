import { expect, test } from '@jest/globals';
import type { JsonValue } from '@reins/contracts';
import { memoryStream, streamJournalStore } from '@reins/journal';
import { LocalRun } from '../local/local-run.ts';
import { node } from '../testing/babysitter-scene.ts';
import { babysitterProcess, type Governance, governanceProblems } from './index.ts';

const warns = (operator: string, value: JsonValue, field: JsonValue = 'taskId') => ({
  action: 'warn',
  conditions: [{ field, operator, value }],
});

test.each([
  ['an operator that there is not', warns('sounds-like', 'x'), 'policyRules[1].conditions[0].operator'],
  ['a pattern that is none', warns('matches', '['), 'policyRules[1].conditions[0].value'],
  ['a field that is no name', warns('eq', 1, 1), 'policyRules[1].conditions[0].field'],
  ['an action that there is not', { action: 'ask' }, 'policyRules[1].action'],
  ['no rule', 'deny', 'policyRules[1]'],
])('%s is found beforehand; in a run that has it all the same, nothing is asked for', async (_, rule, path) => {
  const governance = { policyRules: [warns('matches', '^other'), rule] };
  expect(governanceProblems(governance)).toEqual([{ path, message: expect.any(String) }]);
  const options = { store: streamJournalStore(memoryStream()), run: { workspaceId: 'local', runId: 'run-1' } };
  const definition = babysitterProcess('p', 'v1', async (_inputs, ctx) => ctx.task(node, 1), {
    governance: governance as unknown as Governance,
  });
  const { state } = await LocalRun.create({ ...options, definition }, { inputs: null });
  expect(state.end).toMatchObject({
    status: 'failed',
    error: { message: 'a policy rule cannot be understood', name: 'RunFailedError' },
  });
  expect(state.effects.size).toBe(0);
});
