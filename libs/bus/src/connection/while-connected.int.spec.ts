import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isRetryable, problemOf } from '@reins/contracts';
import { openBucket } from '../kv/bucket.ts';
import { BusFixture } from '../testing/fixture.ts';
import type { Bus } from './bus.ts';
import { whileConnected } from './while-connected.ts';

let fixture: BusFixture;
let bus: Bus;
beforeAll(async () => {
  fixture = await BusFixture.start();
  bus = await fixture.connect();
});
afterAll(() => fixture.stop());

/** The error code of a failed request, and whether it is retryable. */
async function failure(request: () => Promise<unknown>): Promise<[string, boolean]> {
  const { code } = problemOf(await whileConnected(bus, request).catch((error: unknown) => error));
  return [code, isRetryable(code)];
}

describe('a failed request', () => {
  it('is not retryable when it is too large', async () => {
    const bucket = await openBucket<string>(bus, 'sessions');
    expect(await failure(() => bucket.put('large', 'x'.repeat(1_100_000)))).toEqual(['bus_message_too_large', false]);
  });

  it('is not retryable when the client rejects it', async () => {
    expect(await failure(() => bus.nc.request('not a subject'))).toEqual(['bus_request_invalid', false]);
    expect(await failure(() => bus.nc.request('a', '', { timeout: -1 }))).toEqual(['bus_request_invalid', false]);
  });

  it('is retryable when there are no responders', async () => {
    expect(await failure(() => bus.nc.request('no.responders'))).toEqual(['bus_unavailable', true]);
  });
});
