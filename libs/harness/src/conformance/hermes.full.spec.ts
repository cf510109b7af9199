import { afterAll, describe, test } from '@jest/globals';
import { startScriptedModel } from '@reins/scripted-model';
import { tempDir } from '@reins/testing';
import { hermesAdapter } from '../adapters/hermes/adapter.ts';
import { startToolFixture } from '../testing/tool-fixture.ts';
import { type ConformanceSubject, conformance, installedHermes } from './index.ts';
import { SCENARIOS } from './scenarios.ts';

const CASE_MS = 600_000;

// Hermes adds the name of the server to the names of its tools.
const named = JSON.parse(
  JSON.stringify(SCENARIOS, (name, value) =>
    name === 'name' && /^(mcp__|question$)/.test(value) ? `mcp__reins__${value}` : value,
  ),
);
const model = await startScriptedModel({ scenarios: named });
const gateway = await startToolFixture();
afterAll(async () => {
  gateway.close();
  await model.close();
});

const hermes: ConformanceSubject = {
  adapter: hermesAdapter,
  settings: { retries: 1 },
  endpoint: (scenario) => ({ api: 'openai-completions', baseUrl: `${model.url}/s/${scenario}/v1`, apiKey: 'sk-test' }),
  gateway: gateway.endpoint,
  instruction: (_scenario, text) => text,
  folder: () => tempDir('conformance'),
  harnessesDir: await installedHermes(),
};

describe('hermes conforms', () => {
  test.each(conformance(hermes))('$name', ({ run }) => run(hermes), CASE_MS);
});
