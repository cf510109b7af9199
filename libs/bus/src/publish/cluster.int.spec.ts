import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startNatsCluster, type TestNatsCluster } from '@reins/testing';
import { type Bus, connectBus } from '../connection/bus.ts';
import { readSubject } from '../read/read-subject.ts';
import { collect, event, json, until } from '../testing/fixture.ts';
import { provision } from '../topology/provision.ts';
import { Appender } from './appender.ts';
import { OrderedPublisher } from './ordered-publisher.ts';

describe('a cluster of three servers with replicated streams', () => {
  let cluster: TestNatsCluster;
  let bus: Bus;
  beforeAll(async () => {
    cluster = await startNatsCluster();
    bus = await connectBus({ servers: cluster.urls, name: 'test' });
    // The cluster must elect a leader before it creates streams.
    const make = () => provision(bus, { partitions: 4, replicas: 3, runtimeIds: [], managed: 'self' });
    await until(
      () =>
        make().then(
          () => true,
          () => false,
        ),
      'the cluster has a leader',
      110_000,
    );
  });
  afterAll(async () => {
    await bus.close();
    await cluster.stop();
  });

  const leaderOf = async (stream: string): Promise<number> => {
    const { cluster: where } = await bus.jsm.streams.info(stream);
    return Number(where?.leader?.slice(1));
  };
  const killLeader = async (stream: string): Promise<void> => {
    const node = cluster.nodes[await leaderOf(stream)];
    await node?.kill();
    await node?.restart();
  };

  it('treats repeated and fenced appends like a single server', async () => {
    const appender = new Appender(bus, { stream: 'JOURNAL' });
    const request = { subject: 'journal.1.ws.rule', data: json({}), msgId: 'mine', expectedLastSubjectSeq: 0 };
    const first = await appender.append(request);
    expect(first.outcome).toBe('stored');
    expect(await appender.append(request)).toEqual(first);
    expect(await appender.append({ ...request, msgId: 'theirs' })).toMatchObject({
      outcome: 'fenced',
      last: { msgId: 'mine' },
    });
    appender.close();
  });

  it('distinguishes a repeated terminal fact from a conflicting one', async () => {
    const publisher = new OrderedPublisher(bus);
    const terminal = { ...event('runtime.request.completed.ws.rule', 'end-1'), expectedLastSubjectSeq: 0 };
    await publisher.publishAll([terminal]);
    await publisher.publishAll([terminal]);
    const rival = { ...event('runtime.request.completed.ws.rule', 'end-2'), expectedLastSubjectSeq: 0 };
    await expect(publisher.publishAll([rival])).rejects.toMatchObject({ code: 'bus_sequence_taken' });
    await publisher.close();
  });

  it('keeps every chain complete while the journal leader is killed', async () => {
    const appender = new Appender(bus, { stream: 'JOURNAL', ackTimeoutMs: 500, giveUpAfterMs: 60_000 });
    const runs = 8;
    const steps = 60;
    let stored = 0;
    const drive = async (run: string): Promise<void> => {
      let expected = 0;
      for (let step = 0; step < steps; step++) {
        const request = { subject: `journal.1.ws.${run}`, data: json({ step }), msgId: `${run}-${step}` };
        const result = await appender.append({ ...request, expectedLastSubjectSeq: expected });
        if (result.outcome !== 'stored') throw new Error(`${run} was fenced by ${result.last?.msgId}`);
        expected = result.seq;
        stored++;
      }
    };
    const driving = Promise.all(Array.from({ length: runs }, (_, n) => drive(`r3-${n}`)));
    await until(() => stored >= 150, 'some are stored');
    await Promise.all([driving, killLeader('JOURNAL')]);
    for (let n = 0; n < runs; n++) {
      const chain = await collect(readSubject(bus, 'JOURNAL', `journal.1.ws.r3-${n}`));
      expect(chain.map(({ msgId }) => msgId)).toEqual(Array.from({ length: steps }, (_, step) => `r3-${n}-${step}`));
    }
    appender.close();
  });

  it('neither loses nor repeats an event while the event log leader is killed', async () => {
    const publisher = new OrderedPublisher(bus, { windowMessages: 64, ackTimeoutMs: 1_000, giveUpAfterMs: 60_000 });
    const subject = 'runtime.request.started.ws.r3';
    const total = 1_500;
    let acknowledged = 0;
    const publishing = (async () => {
      for (let n = 0; n < total; n++) {
        if (!publisher.publish(event(subject, `c-${n}`), (error) => void (error || acknowledged++)))
          await publisher.ready();
      }
      await publisher.settled();
    })();
    await until(() => acknowledged >= 300, 'some are acknowledged');
    await Promise.all([publishing, killLeader('EVENTS')]);
    const ids = (await collect(readSubject(bus, 'EVENTS', subject))).map(({ msgId }) => msgId);
    expect(acknowledged).toBe(total);
    expect([ids.length, new Set(ids).size]).toEqual([total, total]);
    await publisher.close();
  });
});
