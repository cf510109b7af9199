/**
 * Compares acknowledged publishes and compare-and-set appends with bare clients, in one interleaved run against its own
 * server: `node --conditions reins-source bench/main.ts [rounds] [--json]`. Prints one JSON document; the ratios are
 * the result.
 */
import { startNats } from '@reins/testing';
import { connectBus, provision } from '../src/index.ts';
import { measureAppend } from './append.ts';
import { plainClient } from './plain-client.ts';
import { measurePublish } from './publish.ts';
import { type Measured, ratio } from './rounds.ts';

const ROUNDS = 5;
const PUBLISHES = 20_000;
const SERIAL_APPENDS = 5_000;
const CONCURRENT_APPENDS = 20_000;

const rounds = Number(process.argv.slice(2).find((arg) => arg !== '--json') ?? ROUNDS);
const nats = await startNats();
const bus = await connectBus({ servers: nats.url, name: 'bench' });
const client = await plainClient(nats.url);
await provision(bus, { partitions: 16, replicas: 1, runtimeIds: [], managed: 'self' });

const publish = await measurePublish(bus, client, rounds, PUBLISHES);
const others = publish.map(({ name }) => name);
const appends: Record<string, { ratios: Record<string, number>; measured: Measured[] }> = {};
for (const [runs, count] of [
  [1, SERIAL_APPENDS],
  [50, CONCURRENT_APPENDS],
  [500, CONCURRENT_APPENDS],
] as const) {
  const measured = await measureAppend(bus, client, rounds, count, runs);
  const against = (other: string): number => ratio(measured, 'Appender', [other]);
  appends[`${runs} at once`] = {
    ratios: { bare: against('bare compare-and-set'), 'js.publish': against('js.publish') },
    measured,
  };
}

const startingWith = (start: string): string[] => others.filter((name) => name.startsWith(start));
const report = {
  publish: {
    ratios: {
      'best bare loop': ratio(publish, 'OrderedPublisher', startingWith('bare')),
      'best js.publish': ratio(publish, 'OrderedPublisher', startingWith('js')),
    },
    measured: publish,
  },
  append: appends,
};
process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
await client.nc.close();
await bus.close();
await nats.stop();
process.exit(0);
