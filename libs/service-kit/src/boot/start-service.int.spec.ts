import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Controller, Inject, Module, type OnModuleInit } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { type Bus, type BusMessage, connectBus, DeadLetters, OrderedPublisher, provision } from '@reins/bus';
import { OnEvent } from '@reins/bus/nest';
import { type EventOf, ReinsError } from '@reins/contracts';
import { startNats, type TestNats, until } from '@reins/testing';
import { Settings } from '../settings/settings.ts';
import { BUS } from './service-context.ts';
import type { RunningService } from './service-definition.ts';
import { startService } from './start-service.ts';

const handled: string[] = [];

@Controller()
class Handlers implements OnModuleInit {
  #ready = false;

  constructor(@Inject(BUS) private readonly bus: Bus) {}

  async onModuleInit(): Promise<void> {
    for (let trip = 0; trip < 50; trip += 1) await this.bus.nc.flush();
    this.#ready = true;
  }

  @OnEvent('runtime.plan.requested', { concurrency: 2 })
  async plan(@Payload() event: EventOf<'runtime.plan.requested'>, @Ctx() message: BusMessage): Promise<void> {
    if (event.effectId === 'bad') throw new ReinsError({ code: 'plan_rejected', message: 'never' });
    handled.push(`${event.effectId} ${message.event.id}${this.#ready ? '' : ' before the service was ready'}`);
  }
}

@Module({ controllers: [Handlers] })
class HandlersModule {}

let nats: TestNats;
let service: RunningService;

beforeAll(async () => {
  nats = await startNats();
  const settings = new Settings();
  settings.nats.url = nats.url;
  settings.http.portBase = 0;
  settings.log.level = 'error';
  await leaveWork(settings);
  service = await startService({ name: 'plan-compiler', module: HandlersModule }, settings);
});

/** Publishes a message before the service starts. */
async function leaveWork({ nats }: Settings): Promise<void> {
  const bus = await connectBus({ servers: nats.url, name: 'before' });
  const { partitions, replicas } = nats;
  await provision(bus, { managed: 'self', partitions, replicas, runtimeIds: [] });
  const publisher = new OrderedPublisher(bus);
  await publisher.publishAll([send('0', request('waiting'))]);
  await publisher.close();
  await bus.close();
}

afterAll(async () => {
  await service.stop();
  await nats.stop();
});

const request = (effectId: string) => ({
  type: 'runtime.plan.requested',
  requestId: 'r',
  sessionId: 's',
  agentId: 'main',
  workspaceId: 'w',
  effectId,
  attempt: 1,
  revision: 'a'.repeat(64),
});

const send = (id: string, body: unknown) => ({
  subject: 'runtime.plan.requested.w.r',
  data: new TextEncoder().encode(JSON.stringify(body)),
  headers: { id, type: 'runtime.plan.requested', source: 'test', time: new Date().toISOString() },
});

test('handles messages from before the start once the service is ready', async () => {
  await until(() => handled.length === 1);
  expect(handled.splice(0)).toEqual(['waiting 0']);
});

test('passes events to decorated methods, dead-letters invalid messages and permanent failures, and keeps running', async () => {
  const bus = await connectBus({ servers: nats.url, name: 'test' });
  const publisher = new OrderedPublisher(bus);
  await publisher.publishAll([send('1', { garbage: true }), send('2', request('bad')), send('3', request('good'))]);
  const dead = new DeadLetters(bus);
  await until(async () => handled.length === 1 && (await dead.list()).length === 2);
  expect(handled).toEqual(['good 3']);
  expect((await dead.list()).map((letter) => letter.problem.code).sort()).toEqual([
    'event_type_unknown',
    'plan_rejected',
  ]);
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  // The metric is updated shortly after the handler returned, or after the message is in DEAD.
  const metrics = async (): Promise<string> => (await fetch(`${service.url}/metrics`)).text();
  for (const series of [
    'process_cpu_seconds_total',
    'reins_ready{service="plan-compiler"} 1',
    'reins_message_seconds_count{type="runtime.plan.requested",outcome="dead",service="plan-compiler"} 2',
    'reins_message_seconds_count{type="runtime.plan.requested",outcome="done",service="plan-compiler"} 2',
    'reins_http_request_seconds_count{service="plan-compiler",method="GET",route="/readyz",status="200"} 1',
    'reins_publisher_in_flight{service="plan-compiler"} 0',
  ])
    await until(async () => (await metrics()).includes(series), { what: series });
  await publisher.close();
  await bus.close();
});

test('a service whose port is in use reports the port and what to do', async () => {
  const settings = new Settings();
  settings.nats.url = nats.url;
  settings.log.level = 'error';
  settings.http.port = Number(new URL(service.url).port);
  @Module({})
  class Empty {}
  await expect(startService({ name: 'runner-prep', module: Empty }, settings)).rejects.toMatchObject({
    code: 'port_in_use',
    message: `another process listens on 127.0.0.1:${settings.http.port}`,
    hint: expect.stringContaining('http.portBase'),
  });
});
