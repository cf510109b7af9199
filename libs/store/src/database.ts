import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Schema } from './schema/tables.ts';

/** The read model. */
export type Database = Kysely<Schema>;

export interface DatabaseSettings {
  /** `postgres://user:password@host:port/database` */
  readonly url: string;
  /** Shown in `pg_stat_activity`. */
  readonly name?: string;
  readonly maxConnections?: number;
  readonly connectTimeoutMs?: number;
  /** The schema to work in; `public` otherwise. */
  readonly searchPath?: string;
  /** The server ends a statement that takes longer. */
  readonly statementTimeoutMs?: number;
  /** A connection was lost between two statements. The next query opens another one. */
  readonly onConnectionError?: (error: Error) => void;
}

/** Opens a pool; connects when it is first used. End it with `destroy()`. */
export function openDatabase(settings: DatabaseSettings): Database {
  const pool = new pg.Pool({
    connectionString: settings.url,
    application_name: settings.name ?? 'reins',
    max: settings.maxConnections ?? 4,
    connectionTimeoutMillis: settings.connectTimeoutMs ?? 2_000,
    statement_timeout: settings.statementTimeoutMs ?? 30_000,
    keepAlive: true,
    ...(settings.searchPath !== undefined && { options: `-c search_path=${settings.searchPath}` }),
    types: { getTypeParser: parserOf as typeof pg.types.getTypeParser },
  });
  // Without these listeners a connection that breaks between two statements would end the process.
  const lost = (error: Error): void => settings.onConnectionError?.(error);
  pool.on('error', lost);
  pool.on('connect', (client) => client.on('error', lost));
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
}

type Parser = (text: string) => unknown;

/** Numbers that fit are numbers, times are RFC 3339 to the millisecond: rows read are equal to rows written. */
const PARSERS: ReadonlyMap<number, Parser> = new Map<number, Parser>([
  [pg.types.builtins.INT8, Number],
  [pg.types.builtins.TIMESTAMPTZ, (text) => new Date(text).toISOString()],
]);

function parserOf(oid: number, format?: 'text' | 'binary'): Parser {
  return PARSERS.get(oid) ?? (pg.types.getTypeParser(oid, format ?? 'text') as Parser);
}

/** SQLSTATE classes of an error that the same statement will meet again: data, constraints, limits of a value. */
const LASTING = /^(22|23|54)/;

/** Whether the data as such cannot be stored (Postgres refuses it, or it is nested too deep), so that trying again is of no use. */
export function isRefusedData(error: unknown): boolean {
  return error instanceof RangeError || (error instanceof pg.DatabaseError && LASTING.test(error.code ?? ''));
}
