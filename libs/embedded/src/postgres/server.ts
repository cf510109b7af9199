import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../errno.ts';
import { freePort } from '../processes/free-port.ts';
import { GuardedProcess, type ProcessExit } from '../processes/guarded-process.ts';
import { waitUntilReady } from '../processes/readiness.ts';
import { postgresAccount, reachableFolder } from './account.ts';
import { postgresBinaries } from './binaries.ts';
import { clusterPassword, clusterPaths, ensureCluster, ensureCopy, POSTGRES_USER } from './cluster.ts';

export interface PostgresServerOptions {
  /** Folder of the cluster, which is created if necessary. */
  readonly dir: string;
  /** Folder of a template cluster to copy, which is faster than creating one. Created first if necessary. */
  readonly template?: string;
  /** Default: a free port. */
  readonly port?: number | undefined;
  /** Settings of postgresql.conf. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Receives every line of server output. */
  readonly onLog?: ((line: string) => void) | undefined;
  readonly readyWithinMs?: number;
}

/** A running Postgres. It never outlives this process. */
export interface PostgresServer {
  /** URL of the database `postgres` for the superuser. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /**
   * Actual folder of the cluster, which differs from the requested one if that is closed to the account of Postgres.
   */
  readonly dir: string;
  readonly exited: Promise<ProcessExit>;
  /** Stops the server gracefully without waiting for its clients. */
  stop(deadlineMs?: number): Promise<ProcessExit>;
  /** Kills the server, as in a crash. */
  kill(): Promise<ProcessExit>;
  /** Allows this process to exit while the server runs. */
  unref(): void;
}

const HOST = '127.0.0.1';
const READY = /database system is ready to accept connections/;

/** Temporary start errors: the port was taken after it was chosen, or processes of a killed server still exist. */
const TEMPORARY_ERRORS = /could not bind|Address already in use|pre-existing shared memory|lock file "postmaster.pid"/;

/** Starts a server, creates its cluster if necessary, and waits until it accepts connections. */
export async function startPostgresServer(options: PostgresServerOptions): Promise<PostgresServer> {
  const account = await postgresAccount();
  const binaries = await postgresBinaries(account);
  const dir = await reachableFolder(options.dir, account);
  if (options.template === undefined) await ensureCluster({ binaries, account, dir });
  else await ensureCopy({ binaries, account, dir }, await reachableFolder(options.template, account));
  const giveUpAt = performance.now() + (options.readyWithinMs ?? 60_000);
  const { child, port } = await startOnFreePort();
  const password = await clusterPassword(dir);
  return {
    url: `postgres://${POSTGRES_USER}:${password}@${HOST}:${port}/postgres`,
    port,
    pid: child.pid,
    dir,
    exited: child.exited,
    stop: (deadlineMs) => child.stop(deadlineMs),
    kill: () => child.kill(),
    unref: () => child.unref(),
  };

  async function startOnFreePort(): Promise<{ child: GuardedProcess; port: number }> {
    for (;;) {
      const port = options.port ?? (await freePort());
      try {
        return { port, child: await startOn(port) };
      } catch (error) {
        if (!TEMPORARY_ERRORS.test(messageOf(error)) || performance.now() > giveUpAt) throw error;
        await delay(100);
      }
    }
  }

  async function startOn(port: number): Promise<GuardedProcess> {
    const { data } = clusterPaths(dir);
    const child = await GuardedProcess.start({
      command: binaries.postgres,
      args: ['-D', data, ...settingArguments({ ...BASE, ...options.settings, port: String(port) })],
      cwd: data,
      env: { TZ: 'UTC', LC_ALL: 'C' },
      user: account,
      stopSignal: 'SIGINT', // "fast" shutdown: open transactions are rolled back
    });
    await waitUntilReady(child, {
      what: 'Postgres',
      timeoutMs: Math.max(1, giveUpAt - performance.now()),
      isReady: (line) => READY.test(line),
      onLog: options.onLog,
    });
    return child;
  }
}

/** Local TCP only; a socket file would limit its path to 107 bytes. */
const BASE = { listen_addresses: HOST, unix_socket_directories: '', timezone: 'UTC', log_timezone: 'UTC' };

const settingArguments = (settings: Readonly<Record<string, string>>): string[] =>
  Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
