import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Objm } from '@nats-io/obj';
import type { Bus } from '../connection/bus.ts';
import { BusFixture, collect, json } from '../testing/fixture.ts';
import { Blobs } from './blobs.ts';
import { externalise, INLINE_LIMIT, inline, parseReference } from './externalise.ts';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe('blobs', () => {
  let fixture: BusFixture;
  let bus: Bus;
  let blobs: Blobs;
  beforeAll(async () => {
    fixture = await BusFixture.start();
    bus = await fixture.connect();
    blobs = await Blobs.open(bus);
  });
  afterAll(() => fixture.stop());

  const stored = async (): Promise<number> => (await bus.jsm.streams.info('OBJ_blobs')).state.last_seq;

  it.each([0, 1, 70_000, 1_000_000])('round-trips a blob of %d bytes', async (size) => {
    const bytes = randomBytes(size);
    const ref = await blobs.put(bytes);
    expect(ref).toEqual({ sha256: sha256(bytes), size });
    expect(Buffer.compare(await blobs.get(ref), bytes)).toBe(0);
  });

  it('creates no consumer for a read', async () => {
    const ref = await blobs.put(randomBytes(300_000));
    for (let read = 0; read < 20; read += 1) await blobs.get(ref);
    expect((await bus.jsm.streams.info('OBJ_blobs')).state.consumer_count).toBe(0);
  });

  it('uploads a blob once', async () => {
    const bytes = randomBytes(300_000);
    await blobs.put(bytes);
    const before = await stored();
    await blobs.put(bytes);
    expect(await stored()).toBe(before);
  });

  it('stores one blob for concurrent writers of the same bytes', async () => {
    const bytes = randomBytes(400_000);
    const refs = await Promise.all(Array.from({ length: 8 }, () => blobs.put(bytes)));
    expect(new Set(refs.map((ref) => ref.sha256)).size).toBe(1);
    expect(Buffer.compare(await blobs.get(sha256(bytes)), bytes)).toBe(0);
    const { state } = await bus.jsm.streams.info('OBJ_blobs', { subjects_filter: '$O.blobs.C.>' });
    const chunks = Object.values(state.subjects ?? {}).filter((count) => count === Math.ceil(400_000 / 131_072));
    expect(chunks).toHaveLength(1);
  });

  it('streams a blob in and out', async () => {
    const chunks = Array.from({ length: 20 }, () => randomBytes(50_000));
    const ref = await blobs.putStream(async function* () {
      yield* chunks;
    });
    expect(ref).toEqual({ sha256: sha256(Buffer.concat(chunks)), size: 1_000_000 });
    expect(Buffer.compare(Buffer.concat(await collect(blobs.stream(ref))), Buffer.concat(chunks))).toBe(0);
  });

  it('rejects a blob whose content was changed', async () => {
    const ref = await blobs.put(randomBytes(1_000));
    const store = await new Objm(bus.js).open('blobs');
    await store.putBlob({ name: ref.sha256 }, randomBytes(1_000));
    await expect(blobs.get(ref)).rejects.toMatchObject({ code: 'blob_corrupt', path: ref.sha256 });
  });

  it('rejects an unknown hash and text that is not a hash', async () => {
    await expect(blobs.get('0'.repeat(64))).rejects.toMatchObject({ code: 'blob_not_found' });
    await expect(blobs.get('../../etc')).rejects.toMatchObject({ code: 'blob_not_found' });
  });

  it('lists and removes blobs', async () => {
    const ref = await blobs.put(randomBytes(10));
    expect((await collect(blobs.list())).map((blob) => blob.sha256)).toContain(ref.sha256);
    expect(await blobs.remove(ref.sha256)).toBe(true);
    expect(await blobs.has(ref.sha256)).toBe(false);
    expect((await collect(blobs.list())).map((blob) => blob.sha256)).not.toContain(ref.sha256);
    expect(await blobs.put(Buffer.from('again'))).toMatchObject({ size: 5 });
  });

  it('externalises large bodies and a body that looks like a reference', async () => {
    const small = json({ text: 'x' });
    const large = json({ text: 'x'.repeat(INLINE_LIMIT) });
    expect(await externalise(blobs, small)).toBe(small);
    const sent = await externalise(blobs, large);
    expect(sent.length).toBeLessThan(128);
    expect(Buffer.compare(await inline(blobs, sent), large)).toBe(0);
    const oldServer = json({ $blob: { sha256: 'a'.repeat(64), size: 1 } });
    const wrapped = await externalise(blobs, oldServer);
    expect(parseReference(wrapped)?.sha256).toBe(sha256(oldServer));
    expect(Buffer.compare(await inline(blobs, wrapped), oldServer)).toBe(0);
  });
});
