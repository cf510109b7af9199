import { cp, rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type {
  MemoryDecision,
  MemoryEntry,
  MemoryForgotten,
  MemoryNamespaces,
  MemoryPage,
  MemoryRecall,
  MemoryRecordsForgotten,
  MemoryRecordWritten,
} from '@reins/contracts';
import { startService } from '@reins/service-kit';
import { tempDir, until } from '@reins/testing';
import { sql } from 'kysely';
import { ulid } from 'ulid';
import { memory as memoryService } from './index.ts';
import { writeChanges } from './store/write-changes.ts';
import { TestMemory } from './testing/test-memory.ts';

let memory: TestMemory;
beforeAll(async () => {
  memory = await TestMemory.start();
});
afterAll(() => memory.stop());

test('a text is remembered with its source, listed and found by other forms of its words', async () => {
  const { decision, record } = await memory.add('user/ann', 'I deploy on Fridays, from the café');
  expect(decision).toBe('accepted');
  expect(record).toMatchObject({ namespace: 'user/ann', status: 'active', sensitivity: 'personal', confidence: 1 });
  expect(record.source).toEqual({ person: 'ann' });
  expect(await memory.show(record.id)).toEqual(record);
  expect(await memory.texts({ namespace: 'user/ann' })).toEqual([record.text]);
  for (const query of ['deploying', 'CAFE', '"on fridays"', 'fridas']) {
    const found = await memory.texts({ namespace: 'user/ann', query });
    expect([query, found]).toEqual([query, [record.text]]);
  }
  expect(await memory.texts({ query: 'deploy -fridays' })).toEqual([]);
});

test('a text that says the same is a duplicate, in this namespace and kind only', async () => {
  const { record } = await memory.add('workspace/dup', 'The API has a limit of 10 calls per minute.');
  const same = await memory.add('workspace/dup', 'the API has a limit of 10 calls per minute');
  expect(same).toEqual({ decision: 'duplicate', record });
  const other = await memory.add('workspace/dup', 'The API has a limit of 11 calls per minute.');
  const elsewhere = await memory.add('workspace/dup2', 'The API has a limit of 10 calls per minute.');
  const kind = await memory.add('workspace/dup', 'The API has a limit of 10 calls per minute.', { kind: 'episode' });
  expect([other, elsewhere, kind].map(({ decision }) => decision)).toEqual(['accepted', 'accepted', 'accepted']);
});

test('concurrent additions of one text leave one record', async () => {
  const texts = Array.from({ length: 8 }, () => 'Releases need two reviews');
  const added = await Promise.all(texts.map((text) => memory.add('workspace/race', text)));
  expect(added.filter(({ decision }) => decision === 'accepted')).toHaveLength(1);
  expect(new Set(added.map(({ record }) => record.id)).size).toBe(1);
});

test('an edit supersedes a record; the history has both, and the old one cannot be edited again', async () => {
  const { record } = await memory.add('user/bob', 'Deploys on Mondays', { kind: 'preference', subject: 'deployments' });
  const source = { person: 'bob' };
  const edited = await memory.call<MemoryDecision>('edit', { id: record.id, text: 'Deploys on Tuesdays', source });
  expect(edited.decision).toBe('superseded');
  expect(edited.record).toMatchObject({ supersedes: record.id, kind: 'preference', subject: 'deployments', source });
  for (const { id } of [record, edited.record]) {
    const { records } = await memory.call<MemoryPage>('history', { id });
    expect(records.map(({ text, status }) => [text, status])).toEqual([
      ['Deploys on Mondays', 'superseded'],
      ['Deploys on Tuesdays', 'active'],
    ]);
  }
  expect(await memory.texts({ namespace: 'user/bob' })).toEqual(['Deploys on Tuesdays']);
  await expect(memory.call('edit', { id: record.id, text: 'x', source })).rejects.toMatchObject({
    code: 'memory_conflict',
    hint: `Edit the record ${edited.record.id}.`,
  });
});

test('a forgotten record is erased with its earlier versions, from the tables and from the stream', async () => {
  const { record } = await memory.add('user/cyd', 'canary-one lives in Oslo');
  const source = { person: 'cyd' };
  const edited = await memory.call<MemoryDecision>('edit', { id: record.id, text: 'canary-two lives in Rome', source });
  await memory.add('user/cyd', 'Cyd likes tea');
  const { id } = edited.record;
  const forgotten = await memory.call<MemoryForgotten>('forget', { id, source, reason: 'asked for' });
  expect(forgotten).toEqual({ recordIds: [record.id, id] });
  expect(await memory.call('forget', { id, source })).toEqual({ recordIds: [] });
  const shown = await memory.show(id);
  expect(shown).toMatchObject({ status: 'forgotten', reason: 'asked for', kind: 'fact' });
  expect(shown.text).toBeUndefined();
  await until(async () => !(await memory.streamText()).includes('canary'));
  const { rows } = await sql<{ row: string }>`select to_jsonb(records)::text as row from records`.execute(memory.db);
  expect(rows.filter(({ row }) => row.includes('canary'))).toEqual([]);
  expect(await memory.texts({ namespace: 'user/cyd' })).toEqual(['Cyd likes tea']);
  expect((await memory.verify()).differences).toEqual([]);
});

test('secrets, unknown namespaces and kinds, and unknown ids are refused with path and hint', async () => {
  const secret = memory.add('workspace/w', 'The key is sk-proj-abcdefghijklmnop1234');
  await expect(secret).rejects.toMatchObject({ code: 'memory_secret_found', path: 'text' });
  const namespace = memory.add('team/w', 'x');
  const hint = expect.stringContaining('session/<workspace>/<session>');
  await expect(namespace).rejects.toMatchObject({ code: 'memory_namespace_invalid', path: 'namespace', hint });
  const kind = memory.add('workspace/w', 'x', { kind: 'profile' as 'fact' });
  await expect(kind).rejects.toMatchObject({ code: 'memory_namespace_invalid', path: 'kind' });
  await expect(memory.show('none')).rejects.toMatchObject({ code: 'memory_record_not_found', path: 'id' });
  await expect(memory.call('add', {})).rejects.toMatchObject({ code: 'message_invalid' });
  expect(await memory.streamText()).not.toContain('sk-proj');
});

test('a list is read page by page, also through records that were forgotten together', async () => {
  for (let n = 0; n < 5; n += 1) await memory.add('workspace/pages', `number ${n} of the list`);
  const { record } = await memory.add('workspace/pages', 'a chain');
  const source = { person: 'ann' };
  const edited = await memory.call<MemoryDecision>('edit', { id: record.id, text: 'a longer chain', source });
  await memory.call('forget', { id: edited.record.id, source });
  const ids: string[] = [];
  let before: string | undefined;
  do {
    const call = { namespace: 'workspace/pages', status: 'any', limit: 1, ...(before !== undefined && { before }) };
    const page = await memory.call<MemoryPage>('list', call);
    ids.push(...page.records.map(({ id }) => id));
    before = page.next;
  } while (before !== undefined);
  expect(new Set(ids).size).toBe(7);
  await expect(memory.call('list', { before: 'x' })).rejects.toMatchObject({ code: 'request_invalid', path: 'before' });
});

test('namespaces are listed with the number of their records', async () => {
  await memory.add('agent/w/main', 'one');
  const { namespaces } = await memory.call<MemoryNamespaces>('namespaces');
  expect(namespaces).toContainEqual({ namespace: 'agent/w/main', active: 1, superseded: 0, forgotten: 0 });
  expect(namespaces).toContainEqual({ namespace: 'user/bob', active: 1, superseded: 1, forgotten: 0 });
});

test('recall finds what matters for a sentence, in the given namespaces only', async () => {
  await memory.add('user/rec', 'Rec deploys the billing service on Fridays', { kind: 'preference' });
  await memory.add('user/rec', 'The billing service needs Postgres 18');
  await memory.add('user/rec', 'Rec likes green tea');
  await memory.add('user/other', 'Other deploys the billing service on Mondays');
  const recalled = async (query: string, ...namespaces: string[]) =>
    (await memory.call<MemoryRecall>('recall', { namespaces, query })).recalled.map(({ record }) => record.text);
  expect(await recalled('When is the billing service deployed?', 'user/rec')).toEqual([
    'Rec deploys the billing service on Fridays',
    'The billing service needs Postgres 18',
  ]);
  expect(await recalled('tea', 'user/rec', 'user/other')).toEqual(['Rec likes green tea']);
  expect(await recalled('', 'user/other')).toEqual(['Other deploys the billing service on Mondays']);
  expect(await recalled('mondays', 'user/rec')).toEqual([]);
  await expect(recalled('x', 'team/x')).rejects.toMatchObject({ code: 'memory_namespace_invalid' });
});

test('recall has neither superseded nor forgotten records, and the counts of terms follow', async () => {
  const source = { person: 'ann' };
  const { record } = await memory.add('workspace/terms', 'zebra crossing');
  const edited = await memory.call<MemoryDecision>('edit', { id: record.id, text: 'zebra stripes', source });
  const other = await memory.add('workspace/terms', 'zebra food');
  await memory.call('forget', { id: other.record.id, source });
  const { recalled } = await memory.call<MemoryRecall>('recall', { namespaces: ['workspace/terms'], query: 'zebra' });
  expect(recalled.map((one) => one.record.id)).toEqual([edited.record.id]);
  const counts = await memory.db
    .selectFrom('term_counts')
    .select(['term', 'records'])
    .where('namespace', '=', 'workspace/terms')
    .where('records', '>', 0)
    .execute();
  expect(new Map(counts.map(({ term, records }) => [term, records]))).toEqual(
    new Map([
      ['', 1],
      ['zebra', 1],
      ['stripe', 1],
    ]),
  );
  expect((await memory.verify()).differences).toEqual([]);
});

test('recall prefers records that people rate as useful; the last rating of a person counts', async () => {
  const one = (await memory.add('workspace/rated', 'harbour opens at dawn')).record.id;
  const two = (await memory.add('workspace/rated', 'harbour closes at dusk')).record.id;
  const rate = (id: string, person: string, useful: boolean) =>
    memory.call<MemoryEntry>('rate', { id, useful, source: { person } });
  const first = async () => {
    const { recalled } = await memory.call<MemoryRecall>('recall', {
      namespaces: ['workspace/rated'],
      query: 'harbour',
    });
    return recalled[0]?.record.id;
  };
  for (const person of ['ann', 'bob']) await rate(one, person, true);
  expect(await first()).toBe(one);
  for (const person of ['ann', 'bob']) await rate(one, person, false);
  expect((await rate(two, 'ann', true)).ratings).toEqual({ useful: 1, useless: 0 });
  expect((await memory.show(one)).ratings).toEqual({ useful: 0, useless: 2 });
  expect(await first()).toBe(two);
  expect((await memory.verify()).differences).toEqual([]);
  await memory.call('forget', { id: two, source: { person: 'ann' } });
  await expect(rate(two, 'ann', true)).rejects.toMatchObject({ code: 'memory_conflict' });
});

test('damaged tables are found and rebuilt from the stream', async () => {
  const { record } = await memory.add('workspace/damaged', 'the original text');
  await memory.add('workspace/damaged', 'a lost text');
  await sql`update records set text = 'forged' where id = ${record.id}`.execute(memory.db);
  await sql`delete from records where text = 'a lost text'`.execute(memory.db);
  const { differences } = await memory.verify();
  expect(differences).toHaveLength(2);
  expect(differences).toContain(record.id);
  await memory.call('rebuild');
  expect((await memory.verify()).differences).toEqual([]);
  expect((await memory.show(record.id)).text).toBe('the original text');
});

test('a restarted service continues after its position and erases what a crash left', async () => {
  const { record } = await memory.add('workspace/crash', 'canary-crash');
  await memory.service.stop();
  const { id, kind, createdAt } = record;
  const change: MemoryRecordsForgotten = {
    type: 'memory.records.forgotten',
    namespace: 'workspace/crash',
    records: [{ id, kind, createdAt }],
    forgottenAt: new Date().toISOString(),
    source: { person: 'ann' },
  };
  // The process ended after it had changed the tables, before it erased the message.
  const { seq } = await memory.bus.js.publish('memory.log.workspace.crash', JSON.stringify(change));
  const position = await memory.db.selectFrom('position').selectAll().executeTakeFirstOrThrow();
  await writeChanges(memory.db, position, [{ seq, change }]);
  await memory.restart();
  expect(await memory.streamText()).not.toContain('canary-crash');
  expect((await memory.add('workspace/crash', 'after the restart')).decision).toBe('accepted');
  expect((await memory.verify()).differences).toEqual([]);
});

test('a stream that was set back and has grown past the position replaces the tables', async () => {
  const { nats } = memory;
  const backup = await tempDir('backup');
  const connected = () => until(async () => memory.bus.state === 'connected');
  await memory.add('workspace/set-back', 'kept');
  await memory.service.stop();
  await nats.stop();
  await cp(nats.dir, backup, { recursive: true });
  await nats.restart();
  await connected();
  await memory.restart();
  await memory.add('workspace/set-back', 'lost');
  await memory.service.stop();
  await nats.kill();
  await rm(nats.dir, { recursive: true });
  await cp(backup, nats.dir, { recursive: true });
  await nats.restart();
  await connected();
  // Another instance wrote these after the restore.
  for (const text of ['new', 'newer']) {
    const change: MemoryRecordWritten = {
      type: 'memory.record.written',
      record: {
        id: ulid(),
        namespace: 'workspace/set-back',
        kind: 'fact',
        text,
        source: { person: 'ann' },
        confidence: 1,
        createdAt: new Date().toISOString(),
        sensitivity: 'internal',
      },
    };
    await memory.bus.js.publish('memory.log.workspace.set-back', JSON.stringify(change));
  }
  await memory.restart();
  await until(async () => (await memory.texts({ namespace: 'workspace/set-back' })).includes('newer'));
  expect((await memory.texts({ namespace: 'workspace/set-back' })).toSorted()).toEqual(['kept', 'new', 'newer']);
  expect((await memory.verify()).differences).toEqual([]);
});

test('a stream that is set back while the service runs replaces the tables, and the gap is counted', async () => {
  const { nats } = memory;
  const backup = await tempDir('backup');
  const connected = () => until(async () => memory.bus.state === 'connected');
  await nats.stop();
  await cp(nats.dir, backup, { recursive: true });
  await nats.restart();
  await connected();
  await memory.ready();
  // The service may still be about to notice that its connection was lost.
  await until(() =>
    memory.add('workspace/set-back', 'lost again').then(
      () => true,
      () => false,
    ),
  );
  await nats.kill();
  await rm(nats.dir, { recursive: true });
  await cp(backup, nats.dir, { recursive: true });
  await nats.restart();
  await connected();
  await until(async () => !(await memory.texts({ namespace: 'workspace/set-back' })).includes('lost again'));
  await until(async () => (await memory.verify()).differences.length === 0);
  const metrics = await (await fetch(`${memory.service.url}/metrics`)).text();
  expect(metrics).toMatch(/^reins_memory_gaps_total\{reason="rewound"[^}]*\} 1$/m);
});

test('a change that another instance made first is seen before the next decision', async () => {
  const other = await startService(memoryService, memory.settings);
  const texts = Array.from({ length: 10 }, (_, n) => `record number ${n}`);
  const added = Promise.all(texts.map((text) => memory.add('workspace/two', text)));
  const ids = await added.then((all) => all.map(({ record }) => record.id)).finally(() => other.stop());
  expect(new Set(ids).size).toBe(10);
  expect((await memory.verify()).differences).toEqual([]);
});

test('while Postgres is away, calls are refused as unavailable; afterwards nothing is lost', async () => {
  await memory.postgres.kill();
  await expect(memory.add('workspace/away', 'while away')).rejects.toMatchObject({ code: 'service_unavailable' });
  await memory.postgres.restart();
  const added = async (): Promise<boolean> =>
    memory.add('workspace/away', 'afterwards').then(
      () => true,
      () => false,
    );
  await until(added);
  expect(await memory.texts({ namespace: 'workspace/away' })).toEqual(['afterwards']);
  expect((await memory.verify()).differences).toEqual([]);
});
