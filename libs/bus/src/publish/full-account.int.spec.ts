import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startNats, type TestNats } from '@reins/testing';
import { type Bus, connectBus } from '../connection/bus.ts';
import { isPermanent } from '../consume/retry.ts';
import { OrderedPublisher } from './ordered-publisher.ts';

const CONFIG = `
accounts {
  A { jetstream: { max_file: 300000, max_mem: 0 }, users: [{ user: a, password: a }] }
  SYS { users: [{ user: s, password: s }] }
}
system_account: SYS`;
const SIZE = 60_000;

let nats: TestNats;
let bus: Bus;

beforeAll(async () => {
  nats = await startNats({ config: CONFIG });
  bus = await connectBus({ servers: nats.url, name: 'test', auth: { user: 'a', password: 'a' } });
  await bus.jsm.streams.add({ name: 'S', subjects: ['s.>'] });
});

afterAll(async () => {
  await bus.close();
  await nats.stop();
});

test('a message to a full account can be tried again', async () => {
  const publisher = new OrderedPublisher(bus);
  const publish = (index: number) =>
    publisher.publishAll([
      {
        subject: `s.${index}`,
        data: new Uint8Array(SIZE),
        headers: { id: `m${index}`, type: 't', source: 'test', time: new Date().toISOString() },
      },
    ]);
  const publishAll = async (): Promise<unknown> => {
    for (let index = 0; index < 10; index += 1) {
      const error = await publish(index).then(
        () => undefined,
        (failure: unknown) => failure,
      );
      if (error !== undefined) return error;
    }
    return undefined;
  };
  const error = await publishAll();
  expect(error).toMatchObject({ code: 'bus_stream_full' });
  expect(isPermanent(error)).toBe(false);
  await bus.jsm.streams.purge('S');
  await publish(20);
  await publisher.close();
});
