import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ReinsError } from '@reins/contracts';
import { GuardedProcess, type ProcessExit } from '../processes/guarded-process.ts';

export interface NatsServerOptions {
  /** The `nats-server` executable. */
  readonly binary: string;
  /** Where streams and the generated configuration live. */
  readonly dir: string;
  /** Default: a free one, chosen by the server. */
  readonly port?: number;
  readonly host?: string;
  /** More lines of NATS configuration, for instance accounts and permissions. */
  readonly config?: string;
  /** Every line that the server writes. */
  readonly onLog?: (line: string) => void;
  readonly readyWithinMs?: number;
}

/** A running NATS server with JetStream. It never outlives this process. */
export interface NatsServer {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly exited: Promise<ProcessExit>;
  /** Ends it in order: what was acknowledged is on disk. */
  stop(deadlineMs?: number): Promise<ProcessExit>;
  /** Ends it as a crash would. */
  kill(): Promise<ProcessExit>;
  /** Lets this process end by itself although the server runs. */
  unref(): void;
}

const LISTENING = /Listening for client connections on \S+:(\d+)/;
const READY = /Server is ready/;
const LINES_OF_AN_ERROR = 12;

/** Starts a server and waits until it takes connections. */
export async function startNatsServer(options: NatsServerOptions): Promise<NatsServer> {
  const host = options.host ?? '127.0.0.1';
  await mkdir(options.dir, { recursive: true });
  const configFile = join(options.dir, 'nats.conf');
  await writeFile(configFile, configuration(options, host));
  const child = await GuardedProcess.start({ command: options.binary, args: ['-c', configFile], cwd: options.dir });
  const port = await readiness(child, options);
  return {
    url: `nats://${host}:${port}`,
    port,
    pid: child.pid,
    exited: child.exited,
    stop: (deadlineMs) => child.stop(deadlineMs),
    kill: () => child.kill(),
    unref: () => child.unref(),
  };
}

function configuration(options: NatsServerOptions, host: string): string {
  return [
    `host: ${JSON.stringify(host)}`,
    `port: ${options.port ?? -1}`,
    `jetstream { store_dir: ${JSON.stringify(join(options.dir, 'store'))} }`,
    options.config ?? '',
    '',
  ].join('\n');
}

/** Waits for the line that says so, and fails with what the server said when it ends or is late instead. */
async function readiness(child: GuardedProcess, options: NatsServerOptions): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const last: string[] = [];
  let port = options.port ?? 0;
  const follow = (line: string): void => {
    if (last.push(line) > LINES_OF_AN_ERROR) last.shift();
    port = Number(LISTENING.exec(line)?.[1] ?? port);
    if (READY.test(line)) resolve(port);
    options.onLog?.(line);
  };
  createInterface({ input: child.stderr }).on('line', follow);
  createInterface({ input: child.stdout }).on('line', follow);
  const fail = (what: string): void => reject(startFailed(options.binary, what, last));
  const deadlineMs = options.readyWithinMs ?? 30_000;
  const timer = setTimeout(() => fail(`was not ready within ${deadlineMs} ms`), deadlineMs);
  void child.exited.then(({ code, signal }) => fail(`ended with ${signal ?? `exit code ${code}`}`));
  try {
    return await promise;
  } catch (error) {
    await child.kill();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

const startFailed = (binary: string, what: string, lines: readonly string[]): ReinsError =>
  new ReinsError({
    code: 'embedded_start_failed',
    message: `the NATS server ${what}: ${lines.join(' | ') || 'it said nothing'}`,
    path: binary,
  });
