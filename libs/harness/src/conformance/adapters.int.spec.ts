import { afterAll, describe, test } from '@jest/globals';
import { startScriptedModel } from '@reins/scripted-model';
import { tempDir } from '@reins/testing';
import { codexAdapter, echoAdapter, type HarnessAdapter, openaiChatAdapter, piAdapter } from '../index.ts';
import { sandboxes } from '../testing/sandboxes.ts';
import { startToolFixture } from '../testing/tool-fixture.ts';
import { EXCEPTIONS } from './exceptions.ts';
import { type ConformanceSubject, conformance, installedCodex, type Scenario } from './index.ts';
import { SCENARIOS } from './scenarios.ts';

const CASE_MS = 60_000;

const model = await startScriptedModel({ scenarios: SCENARIOS });
const gateway = await startToolFixture();
afterAll(async () => {
  gateway.close();
  await model.close();
});

const FAST_RETRIES = { retries: 1, baseDelayMs: 50 };

const exceptionsOf = ({ runtimeId }: HarnessAdapter) => ({ without: EXCEPTIONS[runtimeId] ?? {} });

const withModel = (adapter: HarnessAdapter): ConformanceSubject => ({
  adapter,
  ...exceptionsOf(adapter),
  settings: FAST_RETRIES,
  endpoint: (scenario) => ({ api: 'openai-completions', baseUrl: `${model.url}/s/${scenario}/v1`, apiKey: 'sk-test' }),
  gateway: gateway.endpoint,
  instruction: (_scenario, text) => text,
  folder: () => tempDir('conformance'),
});

const ECHO: Partial<Record<Scenario, string>> = {
  text: '',
  write: '@echo write note.txt kept',
  e500: '@echo fail 1',
  hang: '@echo hang',
  json: '@echo answer {"outcome":"pass"}',
  prose: '@echo answer It is fine.',
};
const echo: ConformanceSubject = {
  adapter: echoAdapter,
  endpoint: () => ({ api: 'openai-completions', baseUrl: 'http://127.0.0.1:9', apiKey: '' }),
  instruction: (scenario, text) => `${text}\n${ECHO[scenario] ?? ''}`,
  ...exceptionsOf(echoAdapter),
  folder: () => tempDir('conformance'),
};

const codex: ConformanceSubject = {
  ...withModel(codexAdapter),
  settings: { retries: 1 },
  endpoint: (scenario) => ({ api: 'openai-responses', baseUrl: `${model.url}/s/${scenario}/v1`, apiKey: 'sk-test' }),
  harnessesDir: await installedCodex(),
};

describe.each([echo, withModel(openaiChatAdapter), withModel(piAdapter), codex])(
  '$adapter.runtimeId conforms',
  (subject) => {
    test.each(conformance(subject))('$name', ({ run }) => run(subject), CASE_MS);
  },
);

/** What a sandbox can break: processes, files and servers of tools. The answers of a model are the same in it. */
const OF_SANDBOX: readonly (Scenario | undefined)[] = [
  ...([undefined, 'text', 'write', 'mcp', 'question', 'hang'] as const),
  ...(['recall', 'shell', 'parallel', 'sleep'] as const),
];
const confinedCases = (subject: ConformanceSubject) =>
  conformance(subject).filter(({ scenario }) => OF_SANDBOX.includes(scenario));

describe.each(await sandboxes())('in the sandbox $isolation.backend', (sandbox) => {
  describe.each([withModel(piAdapter), codex])('$adapter.runtimeId conforms', (subject) => {
    const confined = { ...subject, sandbox };
    test.each(confinedCases(confined))('$name', ({ run }) => run(confined), CASE_MS);
  });
});
