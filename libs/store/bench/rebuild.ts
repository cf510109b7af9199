/**
 * Compares a rebuild of the read model with a bare client that copies the same rows: `node --conditions=reins-source
 * bench/rebuild.ts`. The rebuild writes batches of items of the event log into shadow tables. The bare client only
 * copies the rows. Prints one JSON document; the ratio is the result.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { startPostgres } from '@reins/testing';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { PROJECTIONS, project, ShadowTables, TABLES, type Table } from '../src/index.ts';
import type { LogItem } from '../src/projection/log-event.ts';
import { recordedRun } from '../src/testing/recorded-run.ts';
import { createPreparedDatabase, median } from './databases.ts';

const ROUNDS = 5;
const EVENTS_PER_ROUND = 30_000;
const BATCH = 5_000;

const postgres = await startPostgres({ settings: { shared_buffers: '128MB' } });
const oursUrl = await createPreparedDatabase(postgres, 'ours');
const bare = new pg.Client({ connectionString: await createPreparedDatabase(postgres, 'bare') });
await bare.connect();

const speeds: { readonly rebuild: number; readonly bare: number }[] = [];
let runs = 0;
// The first round is a warm-up.
for (let round = 0; round <= ROUNDS; round++) {
  const items = nextItems();
  const shadow = await ShadowTables.create(oursUrl);
  const rebuild = await timed(() => rebuilt(shadow, items));
  await shadow.close();
  const rows = project(items);
  await bare.query(`truncate ${TABLES.map(({ name }) => name).join(', ')}`);
  const bareSpeed = await timed(async () => {
    for (const { table } of PROJECTIONS) await copyBare(table, rows[table.name]);
  });
  if (round > 0) speeds.push({ rebuild, bare: bareSpeed });
}
await bare.end();
await postgres.stop();

const report = {
  eventsPerSecond: {
    rebuild: Math.round(median(speeds.map((speed) => speed.rebuild))),
    'bare COPY of the same rows': Math.round(median(speeds.map((speed) => speed.bare))),
  },
  ratio: Number(median(speeds.map((speed) => speed.rebuild / speed.bare)).toFixed(2)),
};
console.log(JSON.stringify(report, null, 2));

/** Creates complete new runs. */
function nextItems(): LogItem[] {
  const items: LogItem[] = [];
  while (items.length < EVENTS_PER_ROUND) {
    const id = `RUN${++runs}`;
    items.push(...recordedRun({ requestId: id, sessionId: id, firstSeq: runs * 100 }).map((event) => ({ event })));
  }
  return items;
}

async function rebuilt(shadow: ShadowTables, items: readonly LogItem[]): Promise<void> {
  for (let from = 0; from < items.length; from += BATCH) {
    await shadow.write(items.slice(from, from + BATCH), 1);
  }
}

/** Measures events per second. */
async function timed(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (EVENTS_PER_ROUND * 1000) / (performance.now() - startedAt);
}

async function copyBare({ name, columns }: Table, rows: readonly object[]): Promise<void> {
  if (rows.length === 0) return;
  const names = Object.keys(columns);
  const chunks = function* () {
    for (let from = 0; from < rows.length; from += 500)
      yield rows
        .slice(from, from + 500)
        .map((row) => `${names.map((column) => field(Reflect.get(row, column))).join('\t')}\n`)
        .join('');
  };
  await pipeline(Readable.from(chunks()), bare.query(copyFrom(`copy ${name} (${names.join(', ')}) from stdin`)));
}

function field(value: unknown): string {
  if (value === null || value === undefined) return '\\N';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
}
