import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { READ_MODEL, type ReadModel } from '../read-model.ts';

/**
 * Applies pending migrations. Safe to call from several processes concurrently (Kysely takes an advisory lock).
 * @param schema schema for the table of applied migrations; by default that of the connection
 * @returns the names of the migrations applied by this call
 */
export async function migrate<Tables>(
  db: Kysely<Tables>,
  schema?: string,
  { migrations }: Pick<ReadModel, 'migrations'> = READ_MODEL,
): Promise<string[]> {
  const provider = { getMigrations: async () => ({ ...migrations }) };
  // Without a schema, Kysely treats the tables of another schema as its own.
  const migrationTableSchema = schema ?? (await currentSchema(db));
  const migrator = new Migrator({ db, provider, migrationTableSchema });
  const { error, results } = await migrator.migrateToLatest();
  if (error) throw error;
  return (results ?? []).map(({ migrationName }) => migrationName);
}

async function currentSchema<Tables>(db: Kysely<Tables>): Promise<string> {
  const { rows } = await sql<{ readonly name: string }>`select current_schema() as name`.execute(db);
  return rows[0]?.name ?? 'public';
}
