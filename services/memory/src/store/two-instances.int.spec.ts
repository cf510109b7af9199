import { cp, rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { MemoryRecordWritten } from '@reins/contracts';
import { startService } from '@reins/service-kit';
import { tempDir, until } from '@reins/testing';
import { memory as memoryService } from '../index.ts';
import type { LoggedChange } from '../log/changes.ts';
import { TestMemory } from '../testing/test-memory.ts';
import { migrateMemory, openMemory } from './database.ts';
import { emptyTables, readPosition } from './position.ts';
import { SCHEMA } from './schema.ts';
import { writeChanges } from './write-changes.ts';

let memory: TestMemory;
beforeAll(async () => {
  memory = await TestMemory.start();
});
afterAll(() => memory.stop());

const changes = (stream: string, ...seqs: readonly number[]): LoggedChange[] =>
  seqs.map((seq) => {
    const change: MemoryRecordWritten = {
      type: 'memory.record.written',
      record: {
        id: `${stream}-${seq}`,
        namespace: 'workspace/two',
        kind: 'fact',
        text: `text ${seq} of the ${stream} stream`,
        source: { person: 'ann' },
        confidence: 1,
        createdAt: '2026-01-31T12:00:00.000Z',
        sensitivity: 'internal',
      },
    };
    return { seq, time: '2026-01-31T12:00:00.000Z', change };
  });

test('an instance that finds a replaced stream late leaves the rows that another one has read from it', async () => {
  const db = openMemory(await memory.postgres.createDatabase(), SCHEMA);
  try {
    await migrateMemory(db, SCHEMA);
    const ids = async () => (await db.selectFrom('records').select('id').orderBy('seq').execute()).map(({ id }) => id);
    const old = await readPosition(db, 'old');
    await writeChanges(db, old, changes('old', 1, 2));
    const [first, second] = [await readPosition(db, 'new'), await readPosition(db, 'new')];
    await emptyTables(db, 'new', first);
    await writeChanges(db, await readPosition(db, 'new'), changes('new', 1, 2));
    await emptyTables(db, 'new', second);
    expect(await ids()).toEqual(['new-1', 'new-2']);
    const position = await readPosition(db, 'new');
    expect(position).toMatchObject({ created: 'new', seq: 2, generation: 1 });
    // A batch that was read before the stream was replaced.
    await expect(writeChanges(db, old, changes('old', 2, 3, 4))).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(await ids()).toEqual(['new-1', 'new-2']);
    await writeChanges(db, position, changes('new', 3));
    expect(await ids()).toEqual(['new-1', 'new-2', 'new-3']);
  } finally {
    await db.destroy();
  }
});

test('two instances replace the tables once when the stream is set back', async () => {
  const { nats } = memory;
  const other = await startService(memoryService, memory.settings);
  try {
    const backup = await tempDir('backup');
    const connected = () => until(async () => memory.bus.state === 'connected');
    const kept = Array.from({ length: 20 }, (_, n) => `kept ${n}`);
    for (const text of kept) await memory.add('workspace/both', text);
    await nats.stop();
    await cp(nats.dir, backup, { recursive: true });
    await nats.restart();
    await connected();
    await memory.ready();
    await memory.add('workspace/both', 'lost');
    await nats.kill();
    await rm(nats.dir, { recursive: true });
    await cp(backup, nats.dir, { recursive: true });
    await nats.restart();
    await connected();
    await until(async () => !(await memory.texts({ namespace: 'workspace/both', limit: 100 })).includes('lost'));
    const isReady = async () => (await fetch(`${other.url}/readyz`)).status === 200;
    await until(async () => (await isReady()) && (await memory.texts({ limit: 100 })).length === kept.length);
    expect((await memory.texts({ namespace: 'workspace/both', limit: 100 })).toSorted()).toEqual(kept.toSorted());
    expect((await memory.verify()).differences).toEqual([]);
  } finally {
    await other.stop();
  }
});

test('two instances that rebuild the tables at the same time leave every record once', async () => {
  const other = await startService(memoryService, memory.settings);
  try {
    const before = (await memory.texts({ limit: 100 })).toSorted();
    await memory.db.deleteFrom('terms').execute();
    const rebuilds = await Promise.all(Array.from({ length: 6 }, () => memory.call('rebuild')));
    expect(rebuilds.filter((result) => (result as { differences: string[] }).differences.length > 0)).toHaveLength(1);
    expect((await memory.texts({ limit: 100 })).toSorted()).toEqual(before);
    expect((await memory.verify()).differences).toEqual([]);
  } finally {
    await other.stop();
  }
});
