import { describe, expect, test } from '@jest/globals';
import type { ProviderHealth } from '@reins/contracts';
import { unlistedModel } from './unlisted-model.ts';

const offer = (models?: string[], more: Partial<ProviderHealth> = {}) => ({
  providers: [{ providerId: 'openai', status: 'ok' as const, ...(models && { models }), ...more }],
});
const of = (model_id: string | null, ...offers: Parameters<typeof unlistedModel>[1]) =>
  unlistedModel({ provider_id: 'openai', model_id }, offers).map(({ message }) => message);

describe('a model that the provider of a stage does not list', () => {
  test('is reported, with a model that it lists', () => {
    const [problem] = unlistedModel({ provider_id: 'openai', model_id: 'gtp' }, [offer(['gpt', 'o9'])]);
    expect(problem).toMatchObject({
      code: 'model_unlisted',
      message: 'provider openai does not list the model gtp',
      hint: expect.stringContaining('openai/gpt'),
    });
  });

  test.each([
    ['is listed by one host', [offer(['gpt']), offer(['gtp'])]],
    ['has another tag', [offer(['gtp:latest'])]],
    ['may match a wildcard', [offer(['*'])]],
    ['is on a host without a list', [offer(['gpt']), offer()]],
    ['is on a host without the provider', [offer(['gpt'], { providerId: 'other' })]],
    ['has no host', []],
  ])('is not reported if it %s', (_, offers) => {
    expect(of('gtp', ...offers)).toEqual([]);
  });

  test('is not reported without a model', () => {
    expect(of(null, offer(['gpt']))).toEqual([]);
  });
});
