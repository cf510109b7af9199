import { join } from 'node:path';
import { findNatsServer, type NatsServer, startNatsServer } from '@reins/embedded';
import { repositoryRoot } from './repository.ts';
import { tempDir } from './temp-dir.ts';

export interface TestNatsOptions {
  /** Default: a temporary folder, removed with the test process. */
  readonly dir?: string;
  /** Additional lines of NATS configuration, such as accounts and permissions. */
  readonly config?: string;
  /** Receives every line of server output. */
  readonly onLog?: (line: string) => void;
}

/** A real NATS server with JetStream on its own port. */
export interface TestNats {
  /** Unchanged after restarts. */
  readonly url: string;
  readonly port: number;
  readonly dir: string;
  /** Stops the server gracefully. */
  stop(): Promise<void>;
  /** Kills the server, as in a crash. */
  kill(): Promise<void>;
  /** Restarts the server with the same port and streams. */
  restart(): Promise<void>;
}

/** Starts a NATS server for a test. It ends with the test process, even if that is killed. */
export async function startNats(options: TestNatsOptions = {}): Promise<TestNats> {
  const dir = options.dir ?? (await tempDir('nats'));
  const binary = await testNatsBinary();
  const start = async (port?: number): Promise<NatsServer> => {
    const started = await startNatsServer({ binary, dir, port, config: options.config, onLog: options.onLog });
    started.unref();
    return started;
  };
  let server = await start();
  const { url, port } = server;
  return {
    url,
    port,
    dir,
    stop: async () => void (await server.stop()),
    kill: async () => void (await server.kill()),
    restart: async () => {
      await server.stop();
      server = await start(port);
    },
  };
}

let binary: Promise<string> | undefined;

async function testNatsBinary(): Promise<string> {
  binary ??= findNatsServer({
    stateDir: join(repositoryRoot, '.reins'),
    setting: process.env.REINS_NATS_SERVER,
    path: process.env.PATH ?? '',
  }).then((found) => {
    if (!found) throw new Error('no NATS server is installed; run `npm test` or `npm start` to install it');
    return found.binary;
  });
  return binary;
}
