import { expect, test } from '@jest/globals';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { MIGRATIONS } from '../read-model.ts';

/** Records the statements of a migration. */
async function statementsOf(name: string): Promise<string[]> {
  const statements: string[] = [];
  const db = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (introspected) => new PostgresIntrospector(introspected),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => void statements.push(query.sql),
  });
  await MIGRATIONS[name]?.up(db);
  return statements;
}

test('migrations are applied in order of their names', () => {
  const names = Object.keys(MIGRATIONS);
  expect(names).toEqual([...names].sort());
});

test.each(Object.keys(MIGRATIONS))('%s has not changed since its release', async (name) => {
  expect(await statementsOf(name)).toMatchSnapshot();
});
