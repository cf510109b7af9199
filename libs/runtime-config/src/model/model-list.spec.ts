import { expect, test } from '@jest/globals';
import { listsModel } from './model-list.ts';

test('is undefined for names that an endpoint may accept without listing them', () => {
  const list = { ids: ['gpt', 'llama3:latest'], complete: true };
  expect(['gpt', 'llama3', 'other', 'gpt-latest'].map((id) => listsModel(list, id))).toEqual([
    true,
    true,
    false,
    undefined,
  ]);
  expect(listsModel({ ...list, complete: false }, 'other')).toBeUndefined();
  expect(listsModel({ ids: ['openai/*'], complete: true }, 'openai/x')).toBeUndefined();
  expect(listsModel({ ids: [], complete: true }, 'x')).toBeUndefined();
});
