/**
 * Compares projecting the event log with a bare client that inserts the same rows: `node --conditions=reins-source
 * bench/projector.ts`. Both write batches of 1,000 events, one transaction each, alternately, each in its own database
 * of one dedicated Postgres. Prints one JSON document; the ratio is the result.
 */
import { startPostgres } from '@reins/testing';
import pg from 'pg';
import { openDatabase, PROJECTIONS, project, type RowChanges, type Table, writeBatch } from '../src/index.ts';
import type { LogItem } from '../src/projection/log-event.ts';
import { sqlTypeOf } from '../src/schema/table.ts';
import { recordedRun } from '../src/testing/recorded-run.ts';
import { createPreparedDatabase, median } from './databases.ts';

const ROUNDS = 5;
const BATCH = 1_000;
const BATCHES_PER_ROUND = 10;

const postgres = await startPostgres({ settings: { shared_buffers: '128MB' } });
const ours = openDatabase({ url: await createPreparedDatabase(postgres, 'ours') });
const bare = new pg.Client({ connectionString: await createPreparedDatabase(postgres, 'bare') });
await bare.connect();

const speeds: { readonly projector: number; readonly bare: number }[] = [];
let runs = 0;
// The first round is a warm-up.
for (let round = 0; round <= ROUNDS; round++) {
  const batches = Array.from({ length: BATCHES_PER_ROUND }, nextBatch);
  const rows = batches.map((items) => project(items));
  const projector = await timed(async (index) => {
    await writeBatch(ours, batches[index] ?? [], {
      stream: 'bench',
      generation: 0,
      seq: round * BATCHES_PER_ROUND + index,
    });
  });
  const bareSpeed = await timed((index) => insertAll(rows[index] as RowChanges));
  if (round > 0) speeds.push({ projector, bare: bareSpeed });
}
await ours.destroy();
await bare.end();
await postgres.stop();

const report = {
  eventsPerSecond: {
    projector: Math.round(median(speeds.map((speed) => speed.projector))),
    'bare unnest insert of the same rows': Math.round(median(speeds.map((speed) => speed.bare))),
  },
  ratio: Number(median(speeds.map((speed) => speed.projector / speed.bare)).toFixed(2)),
};
console.log(JSON.stringify(report, null, 2));

/** Creates complete new runs. */
function nextBatch(): LogItem[] {
  const items: LogItem[] = [];
  while (items.length < BATCH) {
    const id = `RUN${++runs}`;
    items.push(...recordedRun({ requestId: id, sessionId: id, firstSeq: runs * 100 }).map((event) => ({ event })));
  }
  return items.slice(0, BATCH);
}

/** Measures events per second. */
async function timed(write: (index: number) => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  for (let index = 0; index < BATCHES_PER_ROUND; index++) await write(index);
  return (BATCH * BATCHES_PER_ROUND * 1000) / (performance.now() - startedAt);
}

async function insertAll(changes: RowChanges): Promise<void> {
  await bare.query('begin');
  for (const { table } of PROJECTIONS) await insertBare(table, changes[table.name]);
  await bare.query('commit');
}

async function insertBare({ name, columns }: Table, rows: readonly object[]): Promise<void> {
  if (rows.length === 0) return;
  const types = Object.values(columns).map((spec, index) => `$${index + 1}::${sqlTypeOf(spec)}[]`);
  const values = Object.entries(columns).map(([column, spec]) =>
    rows.map((row) => {
      const value: unknown = Reflect.get(row, column);
      return sqlTypeOf(spec) === 'jsonb' && value !== null ? JSON.stringify(value) : value;
    }),
  );
  await bare.query(`insert into ${name} select * from unnest(${types.join(', ')})`, values);
}
