import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type BeforeApplicationShutdown, Injectable, Module, Optional } from '@nestjs/common';
import { Blobs, type Bus, connectBus, EventPublisher, inline, lastMessageOn, provision } from '@reins/bus';
import { HEADERS, parseJson } from '@reins/contracts';
import { startNats, type TestNats } from '@reins/testing';
import { TreeStore } from '@reins/workspace-tree';
import { Settings } from '../settings/settings.ts';
import { BusModule } from './bus.module.ts';
import { startService } from './start-service.ts';

let nats: TestNats;
let bus: Bus;

beforeAll(async () => {
  nats = await startNats();
  bus = await connectBus({ servers: nats.url, name: 'test' });
  await provision(bus, { managed: 'self', partitions: 16, replicas: 1, runtimeIds: [] });
});

afterAll(async () => {
  await bus.close();
  await nats.stop();
});

const LARGE = 'x'.repeat(100_000);
const SUBJECT = 'runtime.progress.narration.w.r';
let injected: Sender | undefined;

@Injectable()
class Sender implements BeforeApplicationShutdown {
  constructor(
    readonly events: EventPublisher,
    readonly blobs: Blobs,
    @Optional() readonly trees?: TreeStore,
  ) {
    injected = this;
  }

  /** A handler may still publish while its service stops. */
  async beforeApplicationShutdown(): Promise<void> {
    const body = { type: 'runtime.progress.narration', text: LARGE };
    await this.events.publish({ id: 'n', subject: SUBJECT, body });
  }
}

@Module({ imports: [BusModule.with(Blobs, EventPublisher)], providers: [Sender] })
class SenderModule {}

test('a service injects the parts of the bus that it names, and publishes until it has stopped', async () => {
  const settings = new Settings();
  settings.nats.url = nats.url;
  settings.http.portBase = 0;
  settings.log.level = 'error';
  const service = await startService({ name: 'narrator', module: SenderModule }, settings);
  expect(injected?.trees).toBeUndefined();
  await service.stop();
  const stored = await lastMessageOn(bus, 'EVENTS', SUBJECT);
  expect([stored?.header(HEADERS.id), stored?.header(HEADERS.source)]).toEqual(['n', 'reins/narrator']);
  const body = stored && (await inline(await Blobs.open(bus), stored.data));
  expect(body && parseJson(body)).toEqual({ type: 'runtime.progress.narration', text: LARGE });
});
