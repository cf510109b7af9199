import { join } from 'node:path';
import { ensureDatabase, POSTGRES_VERSION, type PostgresServer, startPostgresServer } from '@reins/embedded';
import { repositoryRoot } from './repository.ts';
import { tempDir } from './temp-dir.ts';

export interface TestPostgresOptions {
  /** Settings of postgresql.conf. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Every line that the server writes. */
  readonly onLog?: (line: string) => void;
}

/** A real Postgres with a cluster of its own, on a port of its own. */
export interface TestPostgres {
  /** Of the database `postgres`, as the superuser; the same over restarts. */
  readonly url: string;
  readonly port: number;
  /** Makes an empty database, or a copy of `template` (which nobody may be connected to); resolves to its URL. */
  createDatabase(options?: { name?: string; template?: string }): Promise<string>;
  /** Ends it in order, without waiting for its clients. */
  stop(): Promise<void>;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
  /** Starts it again (ending it first if it runs), on the same port and the same data. */
  restart(): Promise<void>;
}

/**
 * No fsync: these tests end processes, not machines, and what a killed Postgres has written is in the kernel's hands.
 * Small, because several run side by side.
 */
const QUICK = { fsync: 'off', full_page_writes: 'off', shared_buffers: '16MB', autovacuum: 'off' };

/** Starts a Postgres for a test: a copy of a cluster that is made once per checkout. It ends with the test process, even when that is killed. */
export async function startPostgres(options: TestPostgresOptions = {}): Promise<TestPostgres> {
  const dir = await tempDir('postgres');
  const template = join(repositoryRoot, '.reins', 'cache', `postgres-${POSTGRES_VERSION}`);
  const settings = { ...QUICK, ...options.settings };
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
