import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { JsonValue } from '@reins/contracts';
import { startPostgres, type TestPostgres } from '@reins/testing';
import fc from 'fast-check';
import pg from 'pg';
import { openDatabase } from '../database.ts';
import { migrate } from '../migrations/migrate.ts';
import { UNREADABLE, type UnreadableRow } from '../tables/unreadable-messages.ts';
import { jsonText, storableText } from '../write/json-text.ts';
import { copyLine, copyRows } from './copy-rows.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

test('any row is copied like it would be inserted', async () => {
  const url = await postgres.createDatabase();
  const db = openDatabase({ url });
  await migrate(db);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const text = fc.string({ unit: 'binary' });
  const row = fc.record({
    generation: fc.constant(1),
    subject: text,
    ce_id: fc.option(text),
    code: fc.constantFrom('\\N', '\\.', 'a\tb\nc\rd\\e', ''),
    message: text,
    stored_at: fc.constant('2026-01-01T00:00:00.000Z'),
  });
  let generation = 1;
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 5 }), async (given) => {
      generation += 1;
      const rows: UnreadableRow[] = given.map((each, seq) => ({ ...each, seq, generation }));
      await copyRows(client, UNREADABLE, rows);
      const stored = await db
        .selectFrom('unreadable_messages')
        .selectAll()
        .where('generation', '=', generation)
        .orderBy('seq')
        .execute();
      const clean = (value: string) => storableText(value);
      expect(stored).toEqual(
        rows.map((each) => ({
          ...each,
          subject: clean(each.subject),
          message: clean(each.message),
          ce_id: each.ce_id === null ? null : clean(each.ce_id),
        })),
      );
    }),
    { numRuns: 60 },
  );
  await client.end();
  await db.destroy();
});

test('a value is written as JSON with COPY escapes', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const line = copyLine([['value', 'jsonb']], { value });
      expect(line).not.toMatch(/[\t\n\r]/);
      if (value === null) expect(line).toBe('\\N');
      else expect(line.replaceAll('\\\\', '\\')).toBe(jsonText(value as JsonValue));
    }),
  );
});
