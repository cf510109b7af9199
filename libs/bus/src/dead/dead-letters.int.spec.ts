import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ReinsError } from '@reins/contracts';
import type { Bus } from '../connection/bus.ts';
import { consume } from '../consume/consume.ts';
import { BusFixture, json, until } from '../testing/fixture.ts';
import { DeadLetters } from './dead-letters.ts';

const DURABLE = 'runtime-plan-requested';

describe('dead letters', () => {
  let fixture: BusFixture;
  let bus: Bus;
  let dead: DeadLetters;
  beforeEach(async () => {
    fixture = await BusFixture.start();
    bus = await fixture.connect();
    dead = new DeadLetters(bus);
  });
  afterEach(() => fixture.stop());

  it('are redriven to their original subject and removed from DEAD', async () => {
    await bus.js.publish('runtime.plan.requested.ws.again', json({ good: false }), { msgID: 'first' });
    let isFixed = false;
    const seen: unknown[] = [];
    const consumption = await consume(bus, {
      stream: 'EVENTS',
      durable: DURABLE,
      concurrency: 1,
      handler: (message) => {
        if (!isFixed) throw new ReinsError({ code: 'message_invalid', message: 'broken' });
        seen.push(message.json());
      },
    });
    await until(async () => (await dead.list({ stream: 'EVENTS' })).length === 1, 'the message is dead-lettered');
    isFixed = true;
    const [letter] = await dead.list();
    expect(await dead.list({ stream: 'INBOX' })).toEqual([]);
    expect(await dead.list({ stream: 'EVENTS', subject: 'runtime.plan.requested.ws.other' })).toEqual([]);
    expect(await dead.list({ subject: 'runtime.plan.requested.ws.again' })).toEqual([letter]);
    await dead.redrive(letter?.seq ?? 0);
    await until(() => seen.length === 1, 'it is handled');
    expect(seen).toEqual([{ good: false }]);
    expect(await dead.list()).toEqual([]);
    await expect(dead.redrive(letter?.seq ?? 0)).rejects.toMatchObject({ code: 'dead_letter_not_found' });
    await consumption.stop();
  });
});
