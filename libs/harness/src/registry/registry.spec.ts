import { describe, expect, test } from '@jest/globals';
import { isReinsError } from '@reins/contracts';
import { BUILT_IN_ADAPTERS, createRegistry, echoAdapter } from '../index.ts';

describe('createRegistry', () => {
  const registry = createRegistry(BUILT_IN_ADAPTERS);

  test('returns runtimes by id', () => {
    expect(registry.runtimeIds).toEqual(BUILT_IN_ADAPTERS.map(({ runtimeId }) => runtimeId).sort());
    expect(registry.get('echo')).toBe(echoAdapter);
  });

  test('rejects an unknown id with a hint that lists the known ids', () => {
    const error = (() => {
      try {
        registry.get('pj');
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(isReinsError(error) && { code: error.code, hint: error.hint }).toEqual({
      code: 'harness_unknown',
      hint: `Use one of these runtimes: ${registry.runtimeIds.join(', ')}.`,
    });
  });

  test('rejects duplicate and invalid ids', () => {
    expect(() => createRegistry([echoAdapter, echoAdapter])).toThrow(TypeError);
    expect(() => createRegistry([{ ...echoAdapter, runtimeId: 'a.b' }])).toThrow(/subject/);
  });
});
