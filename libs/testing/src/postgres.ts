import { join } from 'node:path';
import { ensureDatabase, POSTGRES_VERSION, type PostgresServer, startPostgresServer } from '@reins/embedded';
import { repositoryRoot } from './repository.ts';
import { tempDir } from './temp-dir.ts';

export interface TestPostgresOptions {
  /** Settings of postgresql.conf. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Receives every line of server output. */
  readonly onLog?: (line: string) => void;
}

/** A real Postgres with its own cluster and port. */
export interface TestPostgres {
  /** URL of the database `postgres` for the superuser; unchanged after restarts. */
  readonly url: string;
  readonly port: number;
  /** Creates an empty database, or a copy of `template` (which must have no connections). Resolves to its URL. */
  createDatabase(options?: { name?: string; template?: string }): Promise<string>;
  /** Stops the server gracefully without waiting for its clients. */
  stop(): Promise<void>;
  /** Kills the server, as in a crash. */
  kill(): Promise<void>;
  /** Restarts the server with the same port and data. */
  restart(): Promise<void>;
}

/**
 * No fsync: tests kill processes, not machines, and the kernel keeps what a killed Postgres has written. Small buffers,
 * since several servers run concurrently.
 */
const FAST_SETTINGS = { fsync: 'off', full_page_writes: 'off', shared_buffers: '16MB', autovacuum: 'off' };

/**
 * Starts a Postgres for a test, as a copy of a cluster that is created once per checkout. It ends with the test
 * process, even if that is killed.
 */
export async function startPostgres(options: TestPostgresOptions = {}): Promise<TestPostgres> {
  const dir = await tempDir('postgres');
  const template = join(repositoryRoot, '.reins', 'cache', `postgres-${POSTGRES_VERSION}`);
  const settings = { ...FAST_SETTINGS, ...options.settings };
  const start = async (port?: number): Promise<PostgresServer> => {
    const started = await startPostgresServer({ dir, template, port, settings, onLog: options.onLog });
    started.unref();
    return started;
  };
  let server = await start();
  let databases = 0;
  const { url, port } = server;
  return {
    url,
    port,
    createDatabase: async ({ name = `test_${++databases}`, template: from } = {}) => ensureDatabase(url, name, from),
    stop: async () => void (await server.stop()),
    kill: async () => void (await server.kill()),
    restart: async () => {
      await server.stop();
      server = await start(port);
    },
  };
}
