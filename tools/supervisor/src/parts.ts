import { join } from 'node:path';
import {
  ensureDatabase,
  findNatsServer,
  installNatsServer,
  type NatsServer,
  type PostgresServer,
  startNatsServer,
  startPostgresServer,
} from '@reins/embedded';
import type { LogFile } from './log-file.ts';
import { moveStreams } from './nats-topology.ts';

export interface EmbeddedPartOptions {
  readonly stateDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: (line: string) => void;
  readonly file: LogFile;
}

/** Returns a function that starts NATS with this configuration: the installed server. Installs one if there is none. */
export async function natsLauncher(
  options: EmbeddedPartOptions,
  config: string,
): Promise<(port?: number) => Promise<NatsServer>> {
  const { stateDir, env } = options;
  const found =
    (await findNatsServer({ stateDir, setting: env.REINS_NATS_SERVER, path: env.PATH ?? '' })) ??
    (await installNatsServer({ stateDir, onProgress: options.log }));
  const dir = join(stateDir, 'data', 'nats');
  await moveStreams(dir);
  return (port) => startNatsServer({ binary: found.binary, dir, port, config, onLog: options.file.write });
}

/** Returns a function that starts Postgres with the Reins database. If that fails, no server is left behind. */
export function postgresLauncher(options: EmbeddedPartOptions): (port?: number) => Promise<DatabaseServer> {
  const dir = join(options.stateDir, 'data', 'postgres');
  return async (port) => {
    const server = await startPostgresServer({ dir, port, onLog: options.file.write });
    if (server.dir !== dir)
      options.log(`Postgres runs as another account and cannot access ${dir}; its data is in ${server.dir}`);
    try {
      return { ...server, databaseUrl: await ensureDatabase(server.url, 'reins') };
    } catch (error) {
      // The next start needs its data folder.
      await server.kill();
      throw error;
    }
  };
}

export interface DatabaseServer extends PostgresServer {
  readonly databaseUrl: string;
}
