import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { makeProcessFolder, removeFolder } from '@reins/service-kit/folders';
import { RUN_FOLDERS } from './run-folder.ts';

/** A Unix socket on which a server of this host listens. */
export interface DoorSocket {
  readonly path: string;
  /** Ends the socket and its connections. Idempotent. */
  close(): void;
}

/** The most connections of a run to one door. Each needs a descriptor of this host. */
const MAX_CONNECTIONS = 64;

/** The Unix sockets by which sandboxes reach servers of this host. They are in a folder that only this user can access. */
export class DoorSockets {
  readonly #folder: string;
  #count = 0;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async create(): Promise<DoorSockets> {
    return new DoorSockets(await makeProcessFolder(RUN_FOLDERS));
  }

  /** @param accept serves a connection */
  async open(accept: (connection: Socket) => void): Promise<DoorSocket> {
    this.#count += 1;
    const path = join(this.#folder, `${this.#count}.sock`);
    const clients = new Set<Socket>();
    const server = createServer({ allowHalfOpen: true }, (client) => {
      clients.add(client);
      client.once('close', () => clients.delete(client));
      accept(client);
    });
    server.maxConnections = MAX_CONNECTIONS;
    server.listen(path);
    await once(server, 'listening');
    const close = (): void => {
      server.close();
      for (const client of clients) client.destroy();
    };
    return { path, close };
  }

  async close(): Promise<void> {
    await removeFolder(this.#folder).catch(() => undefined);
  }
}
