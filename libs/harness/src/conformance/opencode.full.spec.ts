import { afterAll, describe, test } from '@jest/globals';
import { startScriptedModel } from '@reins/scripted-model';
import { tempDir } from '@reins/testing';
import { opencodeAdapter } from '../adapters/opencode/adapter.ts';
import { startToolFixture } from '../testing/tool-fixture.ts';
import { type ConformanceSubject, conformance, installedOpencode } from './index.ts';
import { SCENARIOS } from './scenarios.ts';

/** OpenCode needs seconds to start. */
const CASE_MS = 600_000;

// OpenCode adds the name of the server to the names of its tools.
const named = JSON.parse(
  JSON.stringify(SCENARIOS, (name, value) =>
    name === 'name' && /^(mcp__|question$)/.test(value) ? `reins_${value}` : value,
  ),
);
const model = await startScriptedModel({ scenarios: named });
const gateway = await startToolFixture();
afterAll(async () => {
  gateway.close();
  await model.close();
});

const opencode: ConformanceSubject = {
  adapter: opencodeAdapter,
  settings: { retries: 1 },
  endpoint: (scenario) => ({ api: 'openai-completions', baseUrl: `${model.url}/s/${scenario}/v1`, apiKey: 'sk-test' }),
  gateway: gateway.endpoint,
  instruction: (_scenario, text) => text,
  folder: () => tempDir('conformance'),
  harnessesDir: await installedOpencode(),
};

describe('opencode conforms', () => {
  test.each(conformance(opencode))('$name', ({ run }) => run(opencode), CASE_MS);
});
