/**
 * Measures recalls from one namespace: `node --conditions=reins-source bench/recall.ts [records]`. The records are
 * sentences of words whose frequencies follow Zipf's law; each query has words of one record and other words. Prints one
 * JSON document.
 */
import { startPostgres } from '@reins/testing';
import { recall } from '../src/recall/recall.ts';
import { migrateMemory, openMemory } from '../src/store/database.ts';
import { readPosition } from '../src/store/position.ts';
import { SCHEMA } from '../src/store/schema.ts';
import { writeChanges } from '../src/store/write-changes.ts';

const RECORDS = Number(process.argv[2]) || 100_000;
const WORDS = 20_000;
const WORDS_PER_RECORD = 14;
const BATCH = 2_000;
const QUERIES = 1_000;
const WARM_UP = 100;
const AT_ONCE = 500;
const START = Date.parse('2026-01-01T00:00:00Z');
const NOW = '2026-06-01T00:00:00.000Z';
const NAMESPACE = 'workspace/bench';

/** A generator of numbers from 0 to 1 that is the same in every run. */
function* numbers(seed: number): Generator<number, never> {
  let state = seed;
  for (;;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

const random = numbers(7);
const vocabulary = Array.from(
  { length: WORDS },
  (_, n) => `w${n.toString(26).replaceAll(/\d/g, (d) => 'qrstuvwxyz'[Number(d)] ?? 'q')}`,
);
const word = (): string => vocabulary[Math.floor(WORDS ** random.next().value) % WORDS] ?? '';
const sentence = (words: number): string => Array.from({ length: words }, word).join(' ');

const postgres = await startPostgres({ settings: { shared_buffers: '256MB' } });
const db = openMemory(await postgres.createDatabase(), SCHEMA);
await migrateMemory(db, SCHEMA);
const position = { created: 'bench', generation: (await readPosition(db, 'bench')).generation };
const texts = Array.from({ length: RECORDS }, () => sentence(WORDS_PER_RECORD));
const wroteFrom = performance.now();
for (let from = 0; from < RECORDS; from += BATCH) {
  const batch = texts.slice(from, from + BATCH).map((text, at) => changeOf(from + at + 1, text));
  await writeChanges(db, position, batch);
  console.error(`${from + batch.length} of ${RECORDS} records`);
}
const writeSeconds = (performance.now() - wroteFrom) / 1000;

let found = 0;
const times: number[] = [];
for (let n = 0; n < QUERIES + WARM_UP; n += 1) {
  const { target, query } = nextQuery();
  const from = performance.now();
  const { recalled } = await recall(db, { namespaces: [NAMESPACE], query }, NOW);
  if (n < WARM_UP) continue;
  times.push(performance.now() - from);
  if (recalled.some(({ record }) => record.id === target)) found += 1;
}
const queries = Array.from({ length: AT_ONCE }, () => nextQuery().query);
const burstFrom = performance.now();
const burst = await Promise.allSettled(queries.map((query) => recall(db, { namespaces: [NAMESPACE], query }, NOW)));
const burstMs = performance.now() - burstFrom;
await db.destroy();
await postgres.stop();

times.sort((a, b) => a - b);
const report = {
  records: RECORDS,
  recordsWrittenPerSecond: Math.round(RECORDS / writeSeconds),
  recallMs: { p50: at(0.5), p99: at(0.99), max: at(1) },
  targetInFirst8: Number((found / QUERIES).toFixed(3)),
  [`${AT_ONCE} at once`]: {
    failed: burst.filter(({ status }) => status === 'rejected').length,
    seconds: Number((burstMs / 1000).toFixed(2)),
    perSecond: Math.round((AT_ONCE * 1000) / burstMs),
  },
};
console.log(JSON.stringify(report, null, 2));

function at(share: number): number {
  return Number((times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(2));
}

function changeOf(seq: number, text: string) {
  const createdAt = new Date(START + seq * 60_000).toISOString();
  const rest = { source: {}, confidence: 1, sensitivity: 'internal' } as const;
  const record = { id: `m${seq}`, namespace: NAMESPACE, kind: 'fact', text, createdAt, ...rest } as const;
  return { seq, change: { type: 'memory.record.written', record } as const };
}

/** Four words of a record, and two others. */
function nextQuery(): { readonly target: string; readonly query: string } {
  const index = Math.floor(random.next().value * RECORDS);
  const words = (texts[index] ?? '').split(' ');
  const own = Array.from({ length: 4 }, () => words[Math.floor(random.next().value * words.length)]);
  return { target: `m${index + 1}`, query: [...own, sentence(2)].join(' ') };
}
