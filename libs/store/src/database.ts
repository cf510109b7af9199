import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Schema } from './read-model.ts';

/** The database of the read model. */
export type Database = Kysely<Schema>;

export interface DatabaseSettings {
  /** `postgres://user:password@host:port/database` */
  readonly url: string;
  /** Shown in `pg_stat_activity`. */
  readonly name?: string;
  readonly maxConnections?: number;
  readonly connectTimeoutMs?: number;
  /** The schema to use; by default `public`. */
  readonly searchPath?: string;
  /** Timeout of a statement. */
  readonly statementTimeoutMs?: number;
  /** Called when an idle connection is lost. The next query opens a new one. */
  readonly onConnectionError?: (error: Error) => void;
}

/**
 * Creates a connection pool, which connects on first use. Close it with `destroy()`. By default it is that of the read
 * model; a service with tables of its own names their types.
 */
export function openDatabase<Tables = Schema>(settings: DatabaseSettings): Kysely<Tables> {
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
  // Without these listeners an idle connection that breaks would crash the process.
  const lost = (error: Error): void => settings.onConnectionError?.(error);
  pool.on('error', lost);
  pool.on('connect', (client) => client.on('error', lost));
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

type Parser = (text: string) => unknown;

/** Parses numbers and RFC 3339 times so that rows read equal rows written. */
const PARSERS: ReadonlyMap<number, Parser> = new Map<number, Parser>([
  [pg.types.builtins.INT8, Number],
  [pg.types.builtins.TIMESTAMPTZ, (text) => new Date(text).toISOString()],
]);

function parserOf(oid: number, format?: 'text' | 'binary'): Parser {
  return PARSERS.get(oid) ?? (pg.types.getTypeParser(oid, format ?? 'text') as Parser);
}

/** SQLSTATE classes that a retry cannot fix: invalid data, constraints, exceeded limits. */
const PERMANENT_ERRORS = /^(22|23|54)/;

/**
 * Whether the data itself cannot be stored (Postgres rejects it, or it is nested too deeply), so that a retry is
 * useless.
 */
export function isRejectedData(error: unknown): boolean {
  return error instanceof RangeError || (error instanceof pg.DatabaseError && PERMANENT_ERRORS.test(error.code ?? ''));
}
