import { expect, test } from '@jest/globals';
import { processSettings } from '@reins/service-kit/installation';
import { chooseModelSource } from './model-source.ts';

const modelFor = (providers: object, more: Readonly<Record<string, string>> = {}): string | undefined =>
  chooseModelSource(processSettings({ REINS_PROVIDERS: JSON.stringify(providers), ...more }), {}).model;

const LOCAL = { api: 'openai-completions', baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'none' };
const ANTHROPIC = { api: 'anthropic-messages', baseUrl: 'https://api.anthropic.com', apiKey: 'none' };

test('with another vendor than that of its workspace, the quickstart uses a model of this vendor', () => {
  expect(modelFor({ claude: ANTHROPIC })).toBe('claude/claude-sonnet-4-6');
  expect(modelFor({ claude: ANTHROPIC, openai: LOCAL })).toBeUndefined();
  expect(modelFor({ claude: ANTHROPIC }, { REINS_MODEL_OVERRIDE: 'claude/x' })).toBeUndefined();
});

test('with an unknown endpoint, the quickstart uses a model of its list', () => {
  const sourceFor = (providers: object) =>
    chooseModelSource(processSettings({ REINS_PROVIDERS: JSON.stringify(providers) }), {});
  expect(sourceFor({ mine: LOCAL })).toMatchObject({ model: undefined, modelsOf: 'mine' });
  expect(sourceFor({ mine: LOCAL, openai: LOCAL })).not.toHaveProperty('modelsOf');
});

test('the quickstart uses the first model that the settings list for the first provider', () => {
  const local = { api: 'openai-completions', baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'none' };
  const listed = { ...local, models: { 'team/small': {}, large: {} } };
  expect(modelFor({ mine: listed, other: local })).toBe('mine/team/small');
  expect(modelFor({ mine: local, other: listed })).toBeUndefined();
  expect(modelFor({ mine: listed }, { REINS_MODEL_OVERRIDE: 'mine/large' })).toBeUndefined();
});
