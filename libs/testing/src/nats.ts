import { join } from 'node:path';
import { findNatsServer, type NatsServer, startNatsServer } from '@reins/embedded';
import { repositoryRoot } from './repository.ts';
import { tempDir } from './temp-dir.ts';

export interface TestNatsOptions {
  /** Default: a folder of its own, removed with the test process. */
  readonly dir?: string;
  /** More lines of NATS configuration, for instance accounts and permissions. */
  readonly config?: string;
  /** Every line that the server writes. */
  readonly onLog?: (line: string) => void;
}

/** A real NATS server with JetStream, on a port of its own. */
export interface TestNats {
  /** The same over restarts. */
  readonly url: string;
  readonly port: number;
  readonly dir: string;
  /** Ends it in order. */
  stop(): Promise<void>;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
  /** Starts it again (ending it first if it runs), on the same port and the same streams. */
  restart(): Promise<void>;
}

/** Starts a NATS server for a test. It ends with the test process, even when that is killed. */
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
    if (!found) throw new Error('no NATS server is installed yet; `npm test` or `npm start` installs it');
    return found.binary;
  });
  return binary;
}
