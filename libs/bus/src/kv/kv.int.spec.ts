import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Bus, connectBus } from '../connection/bus.ts';
import { lastMessageOn } from '../read/last-message-on.ts';
import { BusFixture, until } from '../testing/fixture.ts';
import { FlakyLink } from '../testing/flaky-link.ts';
import { provision } from '../topology/provision.ts';
import { openBucket, type TypedBucket } from './bucket.ts';
import type { Claim, Heartbeat } from './claim.ts';
import { ClaimRevocations } from './claim-revocations.ts';
import { Claims } from './claims.ts';
import type { HeldClaim } from './held-claim.ts';

let fixture: BusFixture;
let bus: Bus;
beforeAll(async () => {
  fixture = await BusFixture.start();
  bus = await fixture.connect();
});
afterAll(() => fixture.stop());

describe('a bucket', () => {
  let bucket: TypedBucket<{ n: number }>;
  beforeAll(async () => {
    bucket = await openBucket(bus, 'sessions');
  });

  it('creates once, updates by revision, deletes', async () => {
    const first = await bucket.create('a', { n: 1 });
    expect(await bucket.create('a', { n: 2 })).toBeUndefined();
    expect(await bucket.update('a', { n: 3 }, (first as number) + 1)).toBeUndefined();
    const second = await bucket.update('a', { n: 3 }, first as number);
    expect(await bucket.get('a')).toEqual({ key: 'a', value: { n: 3 }, revision: second });
    expect(await bucket.delete('a', first as number)).toBe(false);
    expect(await bucket.delete('a', second as number)).toBe(true);
    expect(await bucket.get('a')).toBeUndefined();
    expect(await bucket.create('a', { n: 4 })).toEqual(expect.any(Number));
  });

  it('rejects keys that would form other subjects', async () => {
    await expect(bucket.get('a.>')).rejects.toMatchObject({ code: 'token_invalid' });
    await expect(bucket.put('a b', { n: 1 })).rejects.toMatchObject({ code: 'token_invalid' });
  });

  it('expires values, renews them with an update, and notifies watchers', async () => {
    const reported: [string, number | undefined][] = [];
    const watch = await bucket.watch({ filter: 'ttl.*' }, (key, entry) => reported.push([key, entry?.value.n]));
    const renew = async () =>
      bucket.update('ttl.renewed', { n: 2 }, await bucket.put('ttl.renewed', { n: 1 }, 1_000), 600_000);
    await until(async () => (await renew()) !== undefined, 'it was renewed before it expired');
    // Written after the other key, so that the first TTL of that one has passed when this one expires.
    await bucket.put('ttl.short', { n: 1 }, 1_000);
    await until(
      () => reported.some(([key, value]) => key === 'ttl.short' && value === undefined),
      'the short one has expired',
    );
    expect((await bucket.get('ttl.renewed'))?.value).toEqual({ n: 2 });
    expect(await bucket.keys('ttl.*')).toEqual(['ttl.renewed']);
    watch.stop();
  });

  it('continues to report changes after it was deleted and created again', async () => {
    const reported: string[] = [];
    const live = await openBucket<{ n: number }>(bus, 'positions');
    await live.put('kept', { n: 1 });
    await live.put('lost', { n: 1 });
    const watch = await live.watch({}, (key, entry) => reported.push(`${key} ${entry?.value.n}`));
    await watch.current;
    await bus.jsm.streams.delete('KV_positions');
    await provision(bus, { partitions: 4, replicas: 1, runtimeIds: ['pi'], managed: 'self' });
    await live.put('kept', { n: 2 });
    await until(() => reported.includes('kept 2') && reported.includes('lost undefined'), 'it reports both changes');
    expect(await live.keys()).toEqual(['kept']);
    watch.stop();
  });

  it('reports keys as removed that expired while the server was down', async () => {
    const link = await FlakyLink.start(fixture.nats.port);
    const watching = await connectBus({ servers: link.url, name: 'watching' });
    const other = await openBucket<{ n: number }>(bus, 'harnesses');
    await other.put('stays', { n: 1 });
    await other.put('goes', { n: 1 });
    const state = new Map<string, number>();
    const watched = await openBucket<{ n: number }>(watching, 'harnesses');
    const watch = await watched.watch({}, (key, entry) => (entry ? state.set(key, entry.value.n) : state.delete(key)));
    await watch.current;
    expect([...state.keys()].sort()).toEqual(['goes', 'stays']);
    link.lose('replies');
    // Its deletion marker is gone, too.
    await bus.jsm.streams.purge('KV_harnesses', { filter: '$KV.harnesses.goes' });
    await fixture.nats.kill();
    await fixture.nats.restart();
    link.cut();
    await until(() => !state.has('goes'), 'it is reported as removed');
    await until(() => bus.state === 'connected', 'the other connection is back');
    await other.put('stays', { n: 2 });
    await until(() => state.get('stays') === 2, 'the watch continues');
    watch.stop();
    await watching.close();
    link.stop();
  });
});

describe('claims', () => {
  const TTL_MS = 1_500;
  let ours: Claims;
  let theirs: Claims;
  beforeAll(async () => {
    ours = await Claims.open(bus, { host: 'ours', ttlMs: TTL_MS });
    theirs = await Claims.open(await fixture.connect('theirs'), { host: 'theirs', ttlMs: TTL_MS });
  });

  const take = async (effect: string, attempt: number, by = ours): Promise<HeldClaim> => {
    const result = await by.take(effect, attempt);
    if (result.outcome !== 'taken') throw new Error(result.outcome);
    return result.held;
  };

  /** A connection that gets no notice of writes to claims. */
  const deaf = async (name: string): Promise<Bus> => {
    const connection = await fixture.connect(name);
    const subscribe = connection.nc.subscribe.bind(connection.nc);
    connection.nc.subscribe = (subject, options) =>
      subscribe(subject.startsWith('$KV.claims') ? 'nothing' : subject, options);
    return connection;
  };

  it('are granted once, to one of many claimants', async () => {
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? ours : theirs).take('effect-many', 1)),
    );
    const taken = results.filter(({ outcome }) => outcome === 'taken');
    expect([taken.length, results.filter(({ outcome }) => outcome === 'busy').length]).toEqual([1, 19]);
    for (const result of taken) if (result.outcome === 'taken') await result.held.release();
  });

  it('live as long as their holder, far beyond the TTL', async () => {
    // A TTL long enough for a machine that stalls for a moment.
    const patient = await Claims.open(bus, { host: 'patient', ttlMs: 3 * TTL_MS });
    const held = await take('effect-long', 1, patient);
    const bucket = await openBucket<Heartbeat>(bus, 'claims');
    const heartbeats = new Set<number>();
    const watch = await bucket.watch({ filter: 'beat.*.live' }, (_, entry) => {
      if (entry?.value.host === 'patient') heartbeats.add(entry.revision);
    });
    await until(() => heartbeats.size === 5, 'it was renewed four times, at a third of the TTL each');
    watch.stop();
    expect([held.valid, (await theirs.take('effect-long', 1)).outcome]).toEqual([true, 'busy']);
    await held.release();
  });

  it('expire when their holder vanishes, and the next attempt can be claimed', async () => {
    const doomed = await fixture.connect('doomed');
    const held = await take('effect-lost', 1, await Claims.open(doomed, { host: 'doomed', ttlMs: TTL_MS }));
    await doomed.nc.close();
    await until(async () => (await ours.take('effect-lost', 1)).outcome === 'expired', 'the claim is expired');
    // The former holder noticed first, by its own clock; its signal aborts at its next check.
    expect(held.valid).toBe(false);
    await until(() => held.signal.aborted, 'its signal aborts');
    const next = await take('effect-lost', 2);
    expect(await theirs.take('effect-lost', 1)).toMatchObject({ outcome: 'superseded', claim: { attempt: 2 } });
    await next.release();
  });

  it('share one heartbeat per process, which lists them', async () => {
    const shared = await Claims.open(bus, { host: 'shared', ttlMs: 3 * TTL_MS });
    const bucket = await openBucket<Heartbeat>(bus, 'claims');
    const beats: { key: string; value: Heartbeat }[] = [];
    const watch = await bucket.watch({ filter: 'beat.>' }, (_, entry) => {
      if (entry?.value.host === 'shared') beats.push(entry);
    });
    const effects = Array.from({ length: 20 }, (_, n) => `effect-shared-${n}`);
    const held = await Promise.all(effects.map((effect) => take(effect, 1, shared)));
    await until(() => beats.length === 3, 'it was renewed twice');
    watch.stop();
    expect(new Set(beats.map(({ key }) => key)).size).toBe(1);
    expect(beats.map(({ value }) => value.holds)).toEqual(
      Array.from({ length: 3 }, () => effects.map((effect) => `${effect}.1`)),
    );
    const found = await Promise.all(effects.map((effect) => theirs.take(effect, 1)));
    expect(found.filter(({ outcome }) => outcome !== 'busy')).toEqual([]);
    await Promise.all(held.map((each) => each.release()));
    expect((await theirs.take('effect-shared-0', 1)).outcome).toBe('expired');
  });

  it('expire when their host is alive and does not hold them, as after the log was restored from a copy', async () => {
    const restored = await Claims.open(bus, { host: 'restored', ttlMs: 3 * TTL_MS });
    const held = await take('effect-still-held', 1, restored);
    const bucket = await openBucket<Claim>(bus, 'claims');
    const claim = (await bucket.get('effect-still-held'))?.value as Claim;
    await bucket.put('effect-not-held', claim);
    await bucket.put('effect-not-held-either', claim);
    // The host itself knows at once, other hosts from its next heartbeat.
    expect((await restored.take('effect-not-held', 1)).outcome).toBe('expired');
    const elsewhere = async () => (await theirs.take('effect-not-held-either', 1)).outcome === 'expired';
    await until(elsewhere, 'another host notices');
    expect([held.valid, (await theirs.take('effect-still-held', 1)).outcome]).toEqual([true, 'busy']);
    await held.release();
  });

  it('are lost when the log was restored from a copy that lacks them', async () => {
    const holder = await deaf('restored-away');
    const claims = await Claims.open(holder, { host: 'restored-away', ttlMs: 3 * TTL_MS });
    const [lost, kept] = [await take('effect-lacking', 1, claims), await take('effect-copied', 1, claims)];
    const bucket = await openBucket<Claim & Heartbeat>(bus, 'claims');
    const key = `beat.${(await bucket.get('effect-lacking'))?.value.incarnation}.live`;
    await until(async () => (await bucket.get(key)) !== undefined, 'the first heartbeat is stored');
    await bucket.delete('effect-lacking');
    await bucket.delete(key);
    await until(() => lost.signal.aborted, 'its signal aborts');
    expect(kept.valid).toBe(true);
    await kept.release();
  });

  it('expire when their holder dies, even if the server forgets to remove its heartbeat', async () => {
    const bucket = await openBucket<Claim | Heartbeat>(bus, 'claims');
    await bucket.put('effect-stale', { attempt: 1, host: 'stale', incarnation: 'gone', state: 'working' });
    await bucket.put('beat.gone.live', { host: 'stale', holds: ['effect-stale.1'] });
    expect(await ours.take('effect-stale', 1)).toMatchObject({ outcome: 'busy' });
    await until(async () => (await ours.take('effect-stale', 1)).outcome === 'expired', 'the claim is expired');
    await (await take('effect-stale', 2)).release();
  });

  it('of a host of an earlier version live as long as the heartbeat of their attempt', async () => {
    const bucket = await openBucket<Claim | Heartbeat>(bus, 'claims');
    await bucket.put('effect-earlier', { attempt: 1, host: 'earlier', state: 'working' });
    await bucket.put('beat.effect-earlier.1', { host: 'earlier' });
    expect((await ours.take('effect-earlier', 1)).outcome).toBe('busy');
    await bucket.delete('beat.effect-earlier.1');
    expect((await ours.take('effect-earlier', 1)).outcome).toBe('expired');
  });

  it('are lost when the first heartbeat is too late', async () => {
    const link = await FlakyLink.start(fixture.nats.port);
    const late = await connectBus({ servers: link.url, name: 'late' });
    const held = await take('effect-slow', 1, await Claims.open(late, { host: 'late', ttlMs: 60_000 }));
    link.lose('requests');
    expect((await ours.take('effect-slow', 1)).outcome).toBe('expired');
    link.cut();
    await until(() => held.signal.aborted, 'its signal aborts');
    expect((await ours.take('effect-slow', 1)).outcome).toBe('expired');
    expect(await held.answered({ answerRef: 'blob:late' })).toBe(false);
    await late.close();
    link.stop();
  });

  it('store the answer for repeated requests', async () => {
    const held = await take('effect-answered', 1);
    expect(await held.answered({ answerRef: 'blob:abc' })).toBe(true);
    // The acknowledgement was lost, and the write is retried.
    expect(await held.answered({ answerRef: 'blob:abc' })).toBe(true);
    expect(await theirs.take('effect-answered', 1)).toMatchObject({
      outcome: 'answered',
      claim: { host: 'ours', answerRef: 'blob:abc' },
    });
  });

  it('are kept for days, then expire', async () => {
    const lifeOf = async (effect: string) =>
      (await lastMessageOn(bus, 'KV_claims', `$KV.claims.${effect}`))?.header('Nats-TTL');
    const first = await take('effect-kept', 1);
    await first.release();
    expect([await lifeOf('effect-kept'), (await theirs.take('effect-kept', 1)).outcome]).toEqual([
      '604800s',
      'expired',
    ]);
    const second = await take('effect-kept', 2, theirs);
    expect(await lifeOf('effect-kept')).toBe('604800s');
    await second.answered({ answerRef: 'blob:kept' });
    expect(await lifeOf('effect-kept')).toBe('604800s');
  });

  it('are lost at once when a later attempt is claimed', async () => {
    const holder = await fixture.connect('slow');
    const watched: string[] = [];
    const subscribe = holder.nc.subscribe.bind(holder.nc);
    holder.nc.subscribe = (subject, options) => {
      watched.push(subject);
      return subscribe(subject, options);
    };
    // A TTL that no heartbeat of this test could notice.
    const slow = await Claims.open(holder, { host: 'slow', ttlMs: 600_000 });
    const held = await take('effect-fenced', 1, slow);
    await until(() => watched.includes('$KV.claims.effect-fenced'), 'the claim is watched');
    await holder.nc.flush();
    const next = await take('effect-fenced', 2, theirs);
    await until(() => held.signal.aborted, 'its signal aborts');
    expect([held.valid, next.valid]).toEqual([false, true]);
    await next.release();
  });

  it('are lost at the next heartbeat when the notice of a later attempt was lost', async () => {
    const holder = await deaf('deaf');
    const held = await take('effect-deaf', 1, await Claims.open(holder, { host: 'deaf', ttlMs: 3 * TTL_MS }));
    const bucket = await openBucket<Claim>(bus, 'claims');
    const key = `beat.${(await bucket.get('effect-deaf'))?.value.incarnation}.live`;
    await until(async () => (await bucket.get(key)) !== undefined, 'the first heartbeat is stored');
    const next = await take('effect-deaf', 2, theirs);
    await until(() => held.signal.aborted, 'its signal aborts');
    await next.release();
  });

  it('cannot be taken once the attempt is revoked, and a claimed attempt cannot be revoked', async () => {
    const revocations = await ClaimRevocations.open(bus);
    expect(await revocations.revoke('effect-revoked', 1)).toBeUndefined();
    expect(await revocations.revoke('effect-revoked', 1)).toBeUndefined();
    expect((await ours.take('effect-revoked', 1)).outcome).toBe('superseded');
    const held = await take('effect-revoked', 2);
    expect(await revocations.revoke('effect-revoked', 2)).toBe('ours');
    expect(held.valid).toBe(true);
    expect(await revocations.revoke('effect-revoked', 3)).toBeUndefined();
    expect((await theirs.take('effect-revoked', 3)).outcome).toBe('superseded');
    await held.release();
  });

  it('are either taken or revoked', async () => {
    const revocations = await ClaimRevocations.open(bus);
    for (let round = 1; round <= 20; round += 1) {
      const [claim, host] = await Promise.all([
        ours.take(`effect-race-${round}`, 1),
        revocations.revoke(`effect-race-${round}`, 1),
      ]);
      expect([claim.outcome, host]).toEqual(claim.outcome === 'taken' ? ['taken', 'ours'] : ['superseded', undefined]);
      if (claim.outcome === 'taken') await claim.held.release();
    }
  });

  it('reject the late answer of a superseded attempt', async () => {
    const late = await take('effect-late', 1);
    const next = await take('effect-late', 2, theirs);
    expect(await late.answered({ answerRef: 'blob:late' })).toBe(false);
    expect(await ours.take('effect-late', 2)).toMatchObject({
      outcome: 'busy',
      claim: { attempt: 2, state: 'working' },
    });
    await next.release();
  });
});
