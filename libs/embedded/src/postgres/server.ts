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
  /** Where the cluster lives; it is made there when there is none. */
  readonly dir: string;
  /** A folder whose cluster is copied instead of making one anew, which takes longer; it is made there first when missing. */
  readonly template?: string;
  /** Default: a free one. */
  readonly port?: number;
  /** Settings of postgresql.conf. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Every line that the server writes. */
  readonly onLog?: (line: string) => void;
  readonly readyWithinMs?: number;
}

/** A running Postgres. It never outlives this process. */
export interface PostgresServer {
  /** Of the database `postgres`, as the superuser. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Where the cluster really lives: elsewhere when the wished folder is closed to the account that Postgres runs under. */
  readonly dir: string;
  readonly exited: Promise<ProcessExit>;
  /** Ends it in order, without waiting for its clients. */
  stop(deadlineMs?: number): Promise<ProcessExit>;
  /** Ends it as a crash would. */
  kill(): Promise<ProcessExit>;
  /** Lets this process end by itself although the server runs. */
  unref(): void;
}

const HOST = '127.0.0.1';
const READY = /database system is ready to accept connections/;

/**
 * What may go wrong once and well the next time: the port was taken since it was chosen, or processes of a server that
 * was killed have not noticed yet.
 */
const PASSING = /could not bind|Address already in use|pre-existing shared memory|lock file "postmaster.pid"/;

/** Starts a server, makes its cluster before if there is none, and waits until it takes connections. */
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
        if (!PASSING.test(messageOf(error)) || performance.now() > giveUpAt) throw error;
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
      stopSignal: 'SIGINT', // "fast": roll back what is open, write what is committed
    });
    await waitUntilReady(child, {
      what: 'Postgres',
      withinMs: Math.max(1, giveUpAt - performance.now()),
      isReady: (line) => READY.test(line),
      onLog: options.onLog,
    });
    return child;
  }
}

/** TCP on this machine alone; no socket file, whose path would be limited to 107 bytes. */
const BASE = { listen_addresses: HOST, unix_socket_directories: '', timezone: 'UTC', log_timezone: 'UTC' };

const settingArguments = (settings: Readonly<Record<string, string>>): string[] =>
  Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
