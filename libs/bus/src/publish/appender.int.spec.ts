import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Bus } from '../connection/bus.ts';
import { readSubject } from '../read/read-subject.ts';
import { BusFixture, collect, json, until } from '../testing/fixture.ts';
import { Appender, type AppendRequest } from './appender.ts';

const commit = (run: string, id: string, expected: number): AppendRequest => ({
  subject: `journal.1.ws.${run}`,
  data: json({ id }),
  msgId: id,
  expectedLastSubjectSeq: expected,
});

describe('an append', () => {
  let fixture: BusFixture;
  let bus: Bus;
  let appender: Appender;
  beforeAll(async () => {
    fixture = await BusFixture.start();
    bus = await fixture.connect();
    appender = new Appender(bus, { stream: 'JOURNAL' });
  });
  afterAll(async () => {
    appender.close();
    await fixture.stop();
  });

  it('is stored at the end of its subject', async () => {
    const first = await appender.append(commit('plain', 'a', 0));
    expect(first).toEqual({ outcome: 'stored', seq: expect.any(Number) });
    const seq = first.outcome === 'stored' ? first.seq : -1;
    expect((await appender.append(commit('plain', 'b', seq))).outcome).toBe('stored');
  });

  it('returns the same result when it is repeated', async () => {
    const first = await appender.append(commit('repeat', 'once', 0));
    expect(await appender.append(commit('repeat', 'once', 0))).toEqual(first);
    expect(await collect(readSubject(bus, 'JOURNAL', 'journal.1.ws.repeat'))).toHaveLength(1);
  });

  it("is fenced by another writer's message, which it returns", async () => {
    const other = new Appender(await fixture.connect('other'), { stream: 'JOURNAL' });
    await other.append(commit('fence', 'theirs', 0));
    const result = await appender.append(commit('fence', 'ours', 0));
    expect(result).toMatchObject({ outcome: 'fenced', last: { msgId: 'theirs' } });
    other.close();
  });

  it('is fenced when its subject was purged', async () => {
    const first = await appender.append(commit('purged', 'one', 0));
    await bus.jsm.streams.purge('JOURNAL', { filter: 'journal.1.ws.purged' });
    const seq = first.outcome === 'stored' ? first.seq : -1;
    expect(await appender.append(commit('purged', 'two', seq))).toEqual({ outcome: 'fenced', last: undefined });
  });

  it('rejects when its outcome stays unknown', async () => {
    const nowhere = new Appender(bus, { stream: 'NO_SUCH_STREAM', giveUpAfterMs: 50, ackTimeoutMs: 40 });
    const request = { ...commit('x', 'y', 0), subject: 'no.such.subject' };
    await expect(nowhere.append(request)).rejects.toMatchObject({ code: 'bus_unavailable' });
    nowhere.close();
  });

  it('of two concurrent owners is stored once per position', async () => {
    const rival = new Appender(await fixture.connect('rival'), { stream: 'JOURNAL' });
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, async (_, n) => {
        const run = `race-${n}`;
        const both = await Promise.all([
          appender.append(commit(run, `${run}-a`, 0)),
          rival.append(commit(run, `${run}-b`, 0)),
        ]);
        return both.map(({ outcome }) => outcome).sort();
      }),
    );
    expect(new Set(outcomes.map(String))).toEqual(new Set(['fenced,stored']));
    rival.close();
  });
});

describe('appends while the server is killed', () => {
  it('leave every chain complete, without gaps or duplicates', async () => {
    const fixture = await BusFixture.start();
    const bus = await fixture.connect();
    const appender = new Appender(bus, { stream: 'JOURNAL', ackTimeoutMs: 500 });
    const runs = 20;
    const steps = 120;
    let stored = 0;
    const drive = async (run: string): Promise<void> => {
      let expected = 0;
      for (let step = 0; step < steps; step++) {
        const result = await appender.append(commit(run, `${run}-${step}`, expected));
        if (result.outcome !== 'stored') throw new Error(`${run} was fenced by ${result.last?.msgId}`);
        expected = result.seq;
        stored++;
      }
    };
    const driving = Promise.all(Array.from({ length: runs }, (_, n) => drive(`chain-${n}`)));
    for (const part of [400, 1_100, 1_800]) {
      await until(() => stored >= part, `${part} are stored`);
      await fixture.nats.kill();
      await fixture.nats.restart();
    }
    await driving;
    for (let n = 0; n < runs; n++) {
      const chain = await collect(readSubject(bus, 'JOURNAL', `journal.1.ws.chain-${n}`));
      expect(chain.map(({ msgId }) => msgId)).toEqual(Array.from({ length: steps }, (_, step) => `chain-${n}-${step}`));
    }
    appender.close();
    await fixture.stop();
  });
});
