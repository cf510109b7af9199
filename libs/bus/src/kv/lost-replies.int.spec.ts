import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ReinsError } from '@reins/contracts';
import { type Bus, connectBus } from '../connection/bus.ts';
import { BusFixture, until } from '../testing/fixture.ts';
import { FlakyLink } from '../testing/flaky-link.ts';
import { openBucket } from './bucket.ts';
import type { Claim } from './claim.ts';
import { Claims } from './claims.ts';
import type { HeldClaim } from './held-claim.ts';

describe('claims over a connection that loses replies', () => {
  let fixture: BusFixture;
  let bus: Bus;
  let link: FlakyLink;
  let flaky: Bus;
  let claims: Claims;
  beforeAll(async () => {
    fixture = await BusFixture.start();
    bus = await fixture.connect();
    link = await FlakyLink.start(fixture.nats.port);
    flaky = await connectBus({ servers: link.url, name: 'flaky', requestTimeoutMs: 200 });
    claims = await Claims.open(flaky, { host: 'flaky', ttlMs: 600_000 });
  });
  afterAll(async () => {
    await flaky.close();
    link.stop();
    await fixture.stop();
  });

  const take = async (by: Claims, effect: string, attempt: number): Promise<HeldClaim> => {
    const result = await by.take(effect, attempt);
    if (result.outcome !== 'taken') throw new Error(result.outcome);
    return result.held;
  };
  const reconnect = async () => {
    link.cut();
    await until(() => flaky.state === 'connected', 'it is connected again');
  };
  const isStored = async (effect: string, attempt: number) =>
    (await (await openBucket<Claim>(bus, 'claims')).get(effect))?.value.attempt === attempt;

  it('are taken when the reply to their write is lost', async () => {
    link.lose('replies');
    const taking = take(claims, 'effect-unanswered', 1);
    await until(() => isStored('effect-unanswered', 1), 'the claim is stored');
    await reconnect();
    const held = await taking;
    expect([held.valid, await held.answered({ answer: 1 })]).toEqual([true, true]);
  });

  it.each([1, 2])('are taken once by a later call of the same process, attempt %d', async (attempt) => {
    const effect = `effect-again-${attempt}`;
    if (attempt === 2) {
      const others = await Claims.open(bus, { host: 'others' });
      await (await take(others, effect, 1)).release();
    }
    const request = flaky.request.bind(flaky);
    // The claim is stored, and every reply is lost until the call gives up.
    flaky.request = async (subject, ...rest) => {
      const reply = await request(subject, ...rest);
      if (!subject.startsWith('$KV.claims.effect')) return reply;
      throw new ReinsError({ code: 'bus_unavailable', message: 'no reply' });
    };
    await expect(claims.take(effect, attempt)).rejects.toMatchObject({ code: 'bus_unavailable' });
    flaky.request = request;
    const results = await Promise.all([claims.take(effect, attempt), claims.take(effect, attempt)]);
    expect(results.map(({ outcome }) => outcome).sort()).toEqual(['busy', 'taken']);
    for (const result of results) if (result.outcome === 'taken') await result.held.release();
    expect((await claims.take(effect, attempt)).outcome).toBe('expired');
  });
});
