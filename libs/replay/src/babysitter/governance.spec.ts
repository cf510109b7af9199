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
