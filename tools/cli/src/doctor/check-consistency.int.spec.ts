import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { headers as newHeaders } from '@nats-io/nats-core';
import { type Bus, connectBus, openBucket, provision } from '@reins/bus';
import { journalSubject, type RunAddress } from '@reins/contracts';
import { applyEntry, type EntryDraft, emptyRun, encodeCommit, factsOf, sealEntries } from '@reins/journal';
import { startNats, type TestNats } from '@reins/testing';
import { checksOf, compareStores } from './check-consistency.ts';

const PARTITIONS = 2;
const AT = '2026-01-01T00:00:00.000Z';

let nats: TestNats;
let bus: Bus;

beforeAll(async () => {
  nats = await startNats();
  bus = await connectBus({ servers: nats.url, name: 'test' });
  await provision(bus, { managed: 'self', partitions: PARTITIONS, replicas: 1, runtimeIds: [] });
});

afterAll(async () => {
  await bus.close();
  await nats.stop();
});

const drafts = (): readonly EntryDraft[] => [
  {
    type: 'RUN_CREATED',
    data: {
      workspaceId: 'ws',
      sessionId: 's',
      agentId: 'main',
      revision: 'a'.repeat(64),
      idempotencyKey: 'key',
      process: { id: 'pipeline', codeHash: 'none' },
      inputs: null,
      session: {},
    },
  },
  { type: 'RUN_COMPLETED', data: { output: null } },
];

/** Stores a completed run: the first entries in JOURNAL, and its first facts in EVENTS. */
async function store(run: RunAddress, entriesKept: number, factsKept: number): Promise<void> {
  const state = emptyRun(run);
  const entries = sealEntries(state.head, drafts(), AT);
  const facts = entries.flatMap((entry) => {
    applyEntry(state, entry);
    return factsOf(state, entry);
  });
  const kept = entries.slice(0, entriesKept);
  if (kept.length > 0) await bus.js.publish(journalSubject(run, PARTITIONS), encodeCommit({ entries: kept, epoch: 1 }));
  for (const { body, id, version } of facts.slice(0, factsKept)) {
    const headers = newHeaders();
    headers.set('ce-id', id);
    headers.set('reins-version', String(version));
    await bus.js.publish(`${body.type}.ws.${run.runId}`, JSON.stringify(body), { headers });
  }
}

const run = (runId: string): RunAddress => ({ workspaceId: 'ws', runId });

test('a complete run has no differences; each kind of loss is found', async () => {
  await store(run('good'), 2, 9);
  expect(await compareStores(bus, PARTITIONS, new Map([['good', 'completed']]))).toEqual([]);
  await store(run('events'), 2, 1);
  await store(run('journal'), 1, 9);
  await store(run('gone'), 0, 9);
  const sessions = await openBucket(bus, 'sessions');
  await sessions.put('ws.one', { state: {}, queued: [], running: { requestId: 'lost' } });
  const rows = new Map([['good', 'failed']]);
  const found = (await compareStores(bus, PARTITIONS, rows)).map(({ kind, requestId }) => `${kind} ${requestId}`);
  expect(found.sort()).toEqual([
    'fact_missing events',
    'fact_without_entry gone',
    'fact_without_entry journal',
    'row_differs good',
    'session_without_run lost',
    'terminal_facts events',
  ]);
});

test('a check names the first ten, and how many there are', () => {
  const differences = Array.from({ length: 12 }, (_, index) => ({
    kind: 'fact_missing' as const,
    requestId: `r${index}`,
    message: 'lost',
  }));
  const [, facts, ...others] = checksOf(differences);
  expect(facts).toMatchObject({
    status: 'failed',
    message: expect.stringMatching(/^12 .*r9: lost\n {4}and 2 more$/s),
  });
  expect(others.every(({ status }) => status === 'ok')).toBe(true);
});
