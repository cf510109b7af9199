import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { lastMessageOn } from '@reins/bus';
import { eventSubject, parseEvent, type ReinsError } from '@reins/contracts';
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

test('the service does not start with an unknown runtime, and reports every setting that names one', async () => {
  const unknown = {
    REINS_HOST_RUNTIMES: 'echo,cursor',
    REINS_RUNTIME_PROFILE_DEFAULT: 'cursor',
    REINS_RUNTIME_PROFILE_STAGES: '{"reflect":"claude"}',
    REINS_RUNTIME_PROFILE_WORKSPACE_MAY_USE: 'pi,claude',
  };
  const failure = await startService(harnessHost, settings(unknown)).catch((error: unknown) => error);
  const paths = [
    'host.runtimes',
    'runtime_profile.default',
    'runtime_profile.stages.reflect',
    'runtime_profile.workspaceMayUse',
  ];
  expect((failure as ReinsError).problems).toEqual(
    paths.map((path) => ({
      code: 'harness_unknown',
      path,
      message: expect.stringMatching(/^unknown runtime "(cursor|claude)"$/),
      hint: expect.stringMatching(/^Use one of these runtimes: .*codex, .*pi\.$/),
    })),
  );
});

test('a service that cannot listen stops what has started, and reports only the port', async () => {
  service = await startService(harnessHost, settings());
  const port = new URL(service.url).port;
  const exits = jest.spyOn(process, 'kill').mockReturnValue(true);
  try {
    const second = startService(harnessHost, settings({ REINS_HTTP_PORT: port, REINS_HOST_ID: 'second' }));
    await expect(second).rejects.toMatchObject({ code: 'port_in_use' });
    expect(exits.mock.calls.filter(([, signal]) => signal === 'SIGTERM')).toEqual([]);
  } finally {
    exits.mockRestore();
  }
});
