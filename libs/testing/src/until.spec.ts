import { describe, expect, it } from '@jest/globals';
import { until } from './until.ts';

describe('until', () => {
  it('resolves to the first truthy value', async () => {
    const seen = [undefined, 0, '', 'there', 'later'];
    await expect(until(() => seen.shift(), { intervalMs: 1 })).resolves.toBe('there');
    expect(seen).toEqual(['later']);
  });

  it('retries after an error, and reports the last one on timeout', async () => {
    let attempts = 0;
    const condition = async () => {
      attempts += 1;
      throw new Error(`attempt ${attempts}`);
    };
    const failure = until(condition, { what: 'the row', timeoutMs: 20, intervalMs: 1 });
    await expect(failure).rejects.toThrow('timed out after 20 ms waiting for the row');
    await expect(failure).rejects.toMatchObject({ cause: { message: `attempt ${attempts}` } });
    expect(attempts).toBeGreaterThan(1);
  });
});
