import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GuardedProcess, type ProcessExit } from '../processes/guarded-process.ts';
import { waitUntilReady } from '../processes/readiness.ts';

export interface NatsServerOptions {
  /** The `nats-server` executable. */
  readonly binary: string;
  /** Folder of the streams and the generated configuration. */
  readonly dir: string;
  /** Default: a free port chosen by the server. */
  readonly port?: number | undefined;
  readonly host?: string;
  /** Additional lines of NATS configuration, such as accounts and permissions. */
  readonly config?: string | undefined;
  /** Receives every line of server output. */
  readonly onLog?: ((line: string) => void) | undefined;
  readonly readyWithinMs?: number;
}

/** A running NATS server with JetStream. It never outlives this process. */
export interface NatsServer {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly exited: Promise<ProcessExit>;
  /** Stops the server gracefully; acknowledged messages are on disk. */
  stop(deadlineMs?: number): Promise<ProcessExit>;
  /** Kills the server, as in a crash. */
  kill(): Promise<ProcessExit>;
  /** Allows this process to exit while the server runs. */
  unref(): void;
}

const LISTENING = /Listening for client connections on \S+:(\d+)/;
const READY = /Server is ready/;

/** Starts a server and waits until it accepts connections. */
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

/** Waits for the server. Resolves to its port, which it logs before it is ready. */
async function readiness(child: GuardedProcess, options: NatsServerOptions): Promise<number> {
  let port = options.port ?? 0;
  await waitUntilReady(child, {
    what: `the NATS server ${options.binary}`,
    timeoutMs: options.readyWithinMs ?? 30_000,
    onLog: options.onLog,
    isReady: (line) => {
      port = Number(LISTENING.exec(line)?.[1] ?? port);
      return READY.test(line);
    },
  });
  return port;
}
