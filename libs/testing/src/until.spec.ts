import { describe, expect, it } from '@jest/globals';
import { until } from './until.ts';

describe('until', () => {
  it('resolves to the first truthy value', async () => {
    const seen = [undefined, 0, '', 'there', 'later'];
    await expect(until(() => seen.shift(), { everyMs: 1 })).resolves.toBe('there');
    expect(seen).toEqual(['later']);
  });

  it('looks again after an error, and tells the last one when time is over', async () => {
    let looks = 0;
    const look = async () => {
      looks += 1;
      throw new Error(`look ${looks}`);
    };
    const failure = until(look, { what: 'the row', withinMs: 20, everyMs: 1 });
    await expect(failure).rejects.toThrow('the row did not come true within 20 ms');
    await expect(failure).rejects.toMatchObject({ cause: { message: `look ${looks}` } });
    expect(looks).toBeGreaterThan(1);
  });
});
