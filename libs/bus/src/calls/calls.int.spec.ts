import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ReinsError } from '@reins/contracts';
import { startNats, type TestNats } from '@reins/testing';
import { type Bus, connectBus } from '../connection/bus.ts';
import { callService } from './call-service.ts';
import { serveCalls } from './serve-calls.ts';

let nats: TestNats;
let bus: Bus;

beforeAll(async () => {
  nats = await startNats();
  bus = await connectBus({ servers: nats.url, name: 'test' });
});

afterAll(async () => {
  await bus.close();
  await nats.stop();
});

test('a call returns the result of its handler, or its errors with code, path and hint', async () => {
  const problem = { code: 'request_invalid', message: 'no', path: 'text', hint: 'Send a text.' } as const;
  const served = serveCalls(bus, {
    prefix: 'echo.call',
    handlers: {
      say: async (body) => ({ said: body }),
      refuse: async () => Promise.reject(new ReinsError(problem)),
      crash: async () => Promise.reject(new Error('no such column')),
    },
  });
  expect(await callService(bus, 'echo.call.say', { text: 'a' })).toEqual({ said: { text: 'a' } });
  await expect(callService(bus, 'echo.call.refuse', {})).rejects.toMatchObject({ problems: [problem] });
  await expect(callService(bus, 'echo.call.crash', {})).rejects.toMatchObject({ code: 'internal_error' });
  await served.stop();
});

test('a call without a service is unavailable, also after the service stopped', async () => {
  const unavailable = { code: 'service_unavailable', message: 'the absent service does not respond' };
  await expect(callService(bus, 'absent.call.say', {})).rejects.toMatchObject(unavailable);
});

test('a service that stops responds to the calls that it took', async () => {
  const finish = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const slow = async (): Promise<string> => {
    started.resolve();
    await finish.promise;
    return 'late';
  };
  const served = serveCalls(bus, { prefix: 'slow.call', handlers: { wait: slow } });
  const call = callService(bus, 'slow.call.wait', {});
  await started.promise;
  const stopped = served.stop();
  finish.resolve();
  await stopped;
  expect(await call).toBe('late');
});
