import { expect, test } from '@jest/globals';
import type { Bus } from '@reins/bus';
import { Health, type Logger, loadSettings, type Telemetry } from '@reins/service-kit';
import { Registry } from 'prom-client';
import { ProjectorService } from './projector.service.ts';

test('before its start, it names what it waits for', async () => {
  const health = new Health();
  // Nothing is called before the start.
  const [bus, log, telemetry] = [{} as Bus, {} as Logger, {} as Telemetry];
  const projector = new ProjectorService(bus, log, loadSettings(undefined, {}), health, new Registry(), telemetry);
  expect(health.readiness().checks).toEqual([
    { name: 'postgres', ready: false, reason: 'the migration of the read model in Postgres has not ended yet' },
    { name: 'event-log', ready: true },
  ]);
  await projector.onApplicationShutdown();
});
