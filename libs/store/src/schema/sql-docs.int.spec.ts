import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { subjectTypeOf } from '@reins/contracts';
import { startPostgres, type TestPostgres } from '@reins/testing';
import { sql } from 'kysely';
import { type Database, openDatabase } from '../database.ts';
import { migrate } from '../migrations/migrate.ts';
import type { LogEvent } from '../projection/log-event.ts';
import { recordedRun } from '../testing/recorded-run.ts';
import { writeBatch } from '../write/write-batch.ts';
import { describeTables } from './describe-tables.ts';

const PAGE = new URL('../../../../docs/sql.md', import.meta.url);
const page = readFileSync(PAGE, 'utf8');
const queries = [...page.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, query = '']) => query);

let postgres: TestPostgres;
let db: Database;
beforeAll(async () => {
  postgres = await startPostgres();
  db = openDatabase({ url: await postgres.createDatabase() });
  await migrate(db);
  const events = log();
  const items = events.map((event) => ({ event }));
  await writeBatch(db, items, { stream: 'EVENTS@1', generation: 1, seq: events.length });
});
afterAll(async () => {
  await db.destroy();
  await postgres.stop();
});

test('the page describes every table and column; REINS_UPDATE_DOCS=1 writes it', () => {
  const part = /(?<=<!-- begin: tables -->\n)[\s\S]*?(?=<!-- end: tables -->)/;
  const described = page.replace(part, () => `\n${describeTables()}\n\n`);
  if (process.env.REINS_UPDATE_DOCS) writeFileSync(PAGE, described);
  else expect(page).toBe(described);
});

const COMPLETED = '01KAJ00000000000000000RUN1';
const WAITING = '01KAJ00000000000000000RUN2';
const FAILED = '01KAJ00000000000000000RUN3';
const CHILD = '01KAJ00000000000000000RUN4';

/** Tomorrow, so that midnight does not pass between the events and a query for this day. */
const START = new Date().setUTCHours(24 + 1, 20, 0, 0);

const PARENT = { requestId: COMPLETED, sessionId: 's1', agentId: 'main', effectId: 'e9', attempt: 1, depth: 1 };

/** A completed request with a child run, one that waits for a user, and one whose verdict and end are failures. */
function log(): LogEvent[] {
  const waiting = recordedRun({ requestId: WAITING });
  const failed = recordedRun({ requestId: FAILED }).map((event): LogEvent => {
    const { body } = event;
    if (body.type === 'runtime.stage.completed' && body.verdict)
      return changed(event, { verdict: { outcome: 'fail', reasons: ['no tests'] } });
    if (body.type === 'runtime.adapter.event' && body.event.phase === 'agent.tool.result')
      return changed(event, { event: { ...body.event, error: { code: 'internal_error', message: 'no such file' } } });
    if (body.type === 'runtime.request.completed')
      return changed(event, { type: 'runtime.request.failed', error: { code: 'internal_error', message: 'broken' } });
    return event;
  });
  const runs = [
    recordedRun({ requestId: COMPLETED }),
    waiting.slice(0, waiting.findIndex(({ body }) => body.type === 'runtime.request.waiting') + 1),
    failed,
    recordedRun({ requestId: CHILD, parent: PARENT }),
  ];
  return runs.flat().map((event, i) => ({ ...event, seq: i + 1, time: new Date(START + i * 1000).toISOString() }));
}

const changed = (event: LogEvent, fields: object): LogEvent => ({
  ...event,
  body: { ...event.body, ...fields } as LogEvent['body'],
});

const ATTEMPTS = [
  { stage: 'interview', attempt: 1, runtime_id: 'openai_chat', status: 'completed', duration: { seconds: 2 } },
  { stage: 'execute', attempt: 1, runtime_id: 'pi', status: 'failed', duration: null },
  { stage: 'execute', attempt: 2, runtime_id: 'pi', status: 'completed', duration: { seconds: 9 } },
  { stage: 'evaluate', attempt: 1, runtime_id: 'openai_chat', status: 'completed', duration: { seconds: 2 } },
];
const CALLS = { tool: 'read', calls: 3, failed: 1 };

/** What each query finds in the log above, in the order of the page. */
const FOUND: readonly (readonly [topic: string, rows: readonly object[]])[] = [
  ['waits', [{ request_id: WAITING, waiting_reason: 'user' }]],
  ['failures', [{ request_id: FAILED, code: 'internal_error', message: 'broken' }]],
  ['stages', [...ATTEMPTS, ...ATTEMPTS]],
  ['verdicts', [{ request_id: FAILED, reasons: ['no tests'] }]],
  [
    'usage',
    [{ provider: 'scripted', model: 'm', input: '300', cached: '30', output: '60', cost_usd: 1.5, unpriced: 0 }],
  ],
  [
    'expensive requests',
    [COMPLETED, FAILED, CHILD].map((request_id) => ({ request_id, tokens: '120', cost_usd: 0.5 })),
  ],
  [
    'runtimes',
    [
      { runtime_id: 'pi', stage: 'execute', runs: 7, failed: 4, median_s: 9, p95_s: 9 },
      { runtime_id: 'openai_chat', stage: 'interview', runs: 4, failed: 0, median_s: 2, p95_s: 2 },
      { runtime_id: 'openai_chat', stage: 'evaluate', runs: 3, failed: 0, median_s: 2, p95_s: 2 },
    ],
  ],
  ['tools', [CALLS]],
  [
    'decisions',
    [CHILD, FAILED, COMPLETED].map((request_id) => ({
      request_id,
      subject: 'deploy',
      status: 'approved',
      decided_by: 'ann',
    })),
  ],
  ['events', recordedRun({ requestId: COMPLETED }).map(({ body }) => ({ type: subjectTypeOf(body), body }))],
];

test('the page has ten queries', () => {
  expect(queries).toHaveLength(FOUND.length);
});

test.each(FOUND.map(([topic, rows], i) => [topic, i, rows] as const))(
  'the query for %s finds them',
  async (_, i, rows) => {
    const query = queries[i]?.replaceAll('<request>', COMPLETED) ?? '';
    const found = await sql.raw<object>(query).execute(db);
    expect(found.rows).toHaveLength(rows.length);
    expect(found.rows).toEqual(expect.arrayContaining(rows.map((row) => expect.objectContaining(row))));
  },
);
