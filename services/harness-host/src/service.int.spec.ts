import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { lastMessageOn } from '@reins/bus';
import { eventSubject, parseEvent } from '@reins/contracts';
import { loadSettings, type RunningService, startService } from '@reins/service-kit';
import { harnessHost } from './index.ts';
import { HostFixture } from './testing/host-fixture.ts';

let fixture: HostFixture;
let service: RunningService | undefined;
beforeEach(async () => {
  fixture = await HostFixture.start();
});
afterEach(async () => {
  await service?.stop();
  await fixture.stop();
});

const settings = (more: Record<string, string> = {}) =>
  loadSettings(undefined, {
    REINS_NATS_URL: fixture.nats.url,
    REINS_NATS_PARTITIONS: '4',
    REINS_HTTP_PORT: '0',
    REINS_LOG_LEVEL: 'error',
    REINS_HOST_RUNTIMES: 'echo',
    ...more,
  });

test('the service is ready when a runtime is healthy, runs stages, and withdraws its offers when it stops', async () => {
  service = await startService(harnessHost, settings());
  const ready = await fetch(`${service.url}/readyz`);
  expect(ready.status).toBe(200);
  const { effectId } = await fixture.request({ instruction: 'as a service' });
  expect(await fixture.finalEvent(effectId)).toMatchObject({ output: 'as a service' });
  await service.stop();
  const subject = eventSubject({ type: 'runtime.harness.unavailable', workspaceId: '_', requestId: '_' });
  const fact = await lastMessageOn(fixture.bus, 'EVENTS', subject);
  expect(fact && parseEvent(fact.data)).toMatchObject({ runtimeId: 'echo', reason: 'the host is stopping' });
});

test('the service does not start with a profile that names an unknown runtime', async () => {
  await expect(startService(harnessHost, settings({ REINS_RUNTIME_PROFILE_DEFAULT: 'codex' }))).rejects.toMatchObject({
    code: 'harness_unknown',
  });
});
