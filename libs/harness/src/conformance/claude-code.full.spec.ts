import { afterAll, describe, expect, test } from '@jest/globals';
import { startScriptedModel } from '@reins/scripted-model';
import { tempDir } from '@reins/testing';
import { claudeCodeAdapter } from '../adapters/claude_code/adapter.ts';
import { startToolFixture } from '../testing/tool-fixture.ts';
import { type ConformanceSubject, conformance } from './index.ts';
import { SCENARIOS } from './scenarios.ts';

const CASE_MS = 300_000;
/** The executable that a user has installed. Reins does not install it, because it is proprietary. */
const { REINS_TEST_CLAUDE_CODE: command = '' } = process.env;

// Claude Code adds the name of the server to the names of its tools, and refuses commands that only sleep.
const named = JSON.parse(
  JSON.stringify(SCENARIOS, (name, value) =>
    name === 'name' && /^(mcp__|question$)/.test(value) ? `mcp__reins__${value}` : value,
  ).replace('sleep 300', 'tail -f /dev/null'),
);
const model = await startScriptedModel({ scenarios: named });
const gateway = await startToolFixture();
afterAll(async () => {
  gateway.close();
  await model.close();
});

const claudeCode: ConformanceSubject = {
  adapter: claudeCodeAdapter,
  settings: { retries: 1, ...(command !== '' && { command }) },
  endpoint: (scenario) => ({ api: 'anthropic-messages', baseUrl: `${model.url}/s/${scenario}`, apiKey: 'sk-test' }),
  gateway: gateway.endpoint,
  instruction: (_scenario, text) => text,
  folder: () => tempDir('conformance'),
};

test('without an executable, the probe names the setting', async () => {
  const environment = { settings: {}, path: process.env.PATH ?? '', providers: {} };
  expect(await claudeCodeAdapter.probe(environment, 20_000)).toMatchObject({
    healthy: false,
    hint: expect.stringContaining('harness.claude_code.command'),
  });
});

const cases = command === '' ? [] : conformance(claudeCode);
for (const { name, run } of cases)
  describe('claude_code conforms', () => {
    test(name, () => run(claudeCode), CASE_MS);
  });
