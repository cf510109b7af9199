import 'reflect-metadata';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, type INestMicroservice, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Ctx, Payload } from '@nestjs/microservices';
import { type EventOf, ReinsError } from '@reins/contracts';
import { Blobs } from '../blobs/blobs.ts';
import { externalise } from '../blobs/externalise.ts';
import type { Bus } from '../connection/bus.ts';
import { BusMessage } from '../consume/message.ts';
import { DeadLetters } from '../dead/dead-letters.ts';
import { OrderedPublisher } from '../publish/ordered-publisher.ts';
import { BusFixture, event, json, until } from '../testing/fixture.ts';
import { JetStreamStrategy } from './jetstream-strategy.ts';
import { OnEvent } from './on-event.ts';

type PlanRequested = EventOf<'runtime.plan.requested'>;

const seen: string[] = [];
const dead: string[] = [];
let failures = 0;
let release: (() => void) | undefined;

@Controller()
class PlanHandlers {
  @OnEvent('runtime.plan.requested', {
    concurrency: 4,
    retry: { delaysMs: [1] },
    onDead: async (bus, message, { code }) => void dead.push(`${bus.name} ${message.event.id} ${code}`),
  })
  async compile(@Payload() event: PlanRequested, @Ctx() message: BusMessage): Promise<void> {
    if (event.agentId === 'broken') throw new ReinsError({ code: 'workspace_not_found', message: 'no such revision' });
    if (event.agentId === 'flaky' && failures++ < 2) throw new Error('not yet');
    if (event.agentId === 'slow') await new Promise<void>((resolve) => (release = resolve));
    seen.push(`${event.agentId} ${message.event.id}`);
  }
}

@Module({ controllers: [PlanHandlers] })
class PlanModule {}

describe('the Nest transport', () => {
  let fixture: BusFixture;
  let bus: Bus;
  let strategy: JetStreamStrategy;
  let app: INestMicroservice;
  beforeEach(async () => {
    seen.length = 0;
    dead.length = 0;
    fixture = await BusFixture.start();
    bus = await fixture.connect();
    strategy = new JetStreamStrategy({ bus });
    app = await NestFactory.createMicroservice(PlanModule, { strategy, logger: false });
    await app.listen();
  });
  afterEach(async () => {
    await app.close();
    await fixture.stop();
  });

  const bodyOf = (agentId: string, type = 'runtime.plan.requested') => ({
    type,
    requestId: 'r1',
    sessionId: 's1',
    agentId,
    workspaceId: 'ws',
    effectId: 'e1',
    attempt: 1,
    revision: 'a'.repeat(64),
  });
  const request = (agentId: string, data = json(bodyOf(agentId))) =>
    new OrderedPublisher(bus).publishAll([{ ...event(`runtime.plan.requested.ws.${agentId}`, `id-${agentId}`), data }]);
  const deadLetters = async () =>
    (await new DeadLetters(bus).list()).map(({ problem, subject }) => `${problem.code} ${subject}`);

  const info = () => bus.jsm.consumers.info('EVENTS', 'runtime-plan-requested');

  it('passes each message to the method that names its type, and retries a failed one', async () => {
    await request('r1');
    await request('flaky');
    await until(() => seen.length === 2, 'both are handled');
    expect([seen.sort(), failures]).toEqual([['flaky id-flaky', 'r1 id-r1'], 3]);
    expect(await deadLetters()).toEqual([]);
  });

  it('acknowledges a repaired request whose answer is not needed, without handling it', async () => {
    const late = event('runtime.plan.requested.ws.late', 'id-late', bodyOf('late'));
    await new OrderedPublisher(bus).publishAll([{ ...late, headers: { ...late.headers, repaired: true } }]);
    await request('r1');
    await until(() => seen.length > 0, 'the next one is handled');
    await until(async () => (await info()).ack_floor.stream_seq === 2, 'both are acknowledged');
    expect([seen, await deadLetters()]).toEqual([['r1 id-r1'], []]);
  });

  it('resolves a body that is a blob reference', async () => {
    const blobs = await Blobs.open(bus);
    await request('large', await externalise(blobs, json(bodyOf('large')), 10));
    await until(() => seen.length === 1, 'it is handled');
    expect(seen).toEqual(['large id-large']);
  });

  it('keeps the error of a failure, and dead-letters invalid events and events without a handler', async () => {
    await request('broken');
    await request('garbage', json({ type: 'no.such.type' }));
    await request('started', json(bodyOf('started', 'runtime.request.started')));
    await until(async () => (await deadLetters()).length === 3, 'all are dead-lettered');
    expect((await deadLetters()).sort()).toEqual([
      'event_type_unknown runtime.plan.requested.ws.garbage',
      'handler_missing runtime.plan.requested.ws.started',
      'workspace_not_found runtime.plan.requested.ws.broken',
    ]);
    expect(dead.sort()).toEqual([
      `${bus.name} id-broken workspace_not_found`,
      `${bus.name} id-garbage event_type_unknown`,
      `${bus.name} id-started handler_missing`,
    ]);
  });

  it('stops in two phases: receives no more messages, then waits for running handlers', async () => {
    await request('slow');
    await until(() => release !== undefined, 'the handler is running');
    strategy.pause();
    await request('late');
    const closing = app.close();
    release?.();
    await closing;
    expect([seen, strategy.taken]).toEqual([['slow id-slow'], 0]);
    await until(async () => {
      const { num_pending, num_ack_pending } = await info();
      return num_pending === 1 && num_ack_pending === 0;
    }, 'only the late one is left');
  });

  it('reports when its consumer is gone', async () => {
    await until(async () => (await info()).num_waiting > 0, 'it waits for messages');
    await bus.jsm.consumers.delete('EVENTS', 'runtime-plan-requested');
    expect(await strategy.ended).toEqual({ durable: 'runtime-plan-requested', reason: 'consumer_gone' });
  });
});
