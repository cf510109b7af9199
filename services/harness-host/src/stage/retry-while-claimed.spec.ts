import { describe, expect, test } from '@jest/globals';
import { ReinsError } from '@reins/contracts';
import { retryWhileClaimed } from './retry-while-claimed.ts';

const unavailable = new ReinsError({ code: 'bus_unavailable', message: 'NATS is down' });

/** Fails with these errors in order, then succeeds. Counts its calls. */
function failing(...errors: Error[]) {
  const work = async () => {
    work.calls += 1;
    const error = errors.shift();
    if (error) throw error;
    return 'done';
  };
  work.calls = 0;
  return work;
}

describe('retryWhileClaimed', () => {
  test('retries while the bus is unavailable', async () => {
    const work = failing(unavailable, unavailable);
    expect(await retryWhileClaimed({ valid: true }, work)).toBe('done');
    expect(work.calls).toBe(3);
  });

  test('stops when the claim is lost', async () => {
    const work = failing(unavailable, unavailable, unavailable);
    const held = {
      get valid() {
        return work.calls < 2;
      },
    };
    await expect(retryWhileClaimed(held, work)).rejects.toBe(unavailable);
    expect(work.calls).toBe(2);
  });

  test.each([new Error('the disk is full'), new ReinsError({ code: 'bus_message_too_large', message: 'too large' })])(
    'does not retry after %p',
    async (error) => {
      const work = failing(error);
      await expect(retryWhileClaimed({ valid: true }, work)).rejects.toBe(error);
      expect(work.calls).toBe(1);
    },
  );
});
