import { expect, test } from '@jest/globals';
import { processSettings } from '@reins/service-kit/installation';
import { chooseModelSource } from './model-source.ts';

const modelFor = (providers: object, more: Readonly<Record<string, string>> = {}): string | undefined =>
  chooseModelSource(processSettings({ REINS_PROVIDERS: JSON.stringify(providers), ...more }), {}).model;

test('the quickstart uses the first model that the settings list for the first provider', () => {
  const local = { api: 'openai-completions', baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'none' };
  const listed = { ...local, models: { 'team/small': {}, large: {} } };
  expect(modelFor({ mine: listed, other: local })).toBe('mine/team/small');
  expect(modelFor({ mine: local, other: listed })).toBeUndefined();
  expect(modelFor({ mine: listed }, { REINS_MODEL_OVERRIDE: 'mine/large' })).toBeUndefined();
});
