import { join } from 'node:path';
import { canonicalHash, type Json } from '@reins/runtime-config';
import type { Application, ApplicationSpec } from '../applications/application.ts';
import type { ReconnectingConnection } from '../client/reconnecting-connection.ts';
import type { ServerSpec } from '../client/server-spec.ts';

interface KeptServer {
  readonly key: string;
  readonly connection: ReconnectingConnection;
}

interface KeptApplication {
  readonly key: string;
  readonly app: Application;
}

/**
 * The running servers and applications of one request, which its stages use one after the other. A stage gets what an
 * earlier stage started if its configuration is the same and it still runs.
 */
export class KeptServices {
  readonly #servicesDir: string;
  readonly #servers = new Map<string, KeptServer>();
  readonly #applications = new Map<string, KeptApplication>();
  #copies = 0;
  #closing: Promise<void> | undefined;

  /** @param servicesDir the folder for homes and copies of the tree. Its owner removes it */
  constructor(servicesDir: string) {
    this.#servicesDir = servicesDir;
  }

  /** The running server with this configuration; undefined when it must be started. Stops one that cannot be used. */
  async server(spec: ServerSpec): Promise<ReconnectingConnection | undefined> {
    const kept = this.#servers.get(spec.serverId);
    if (kept?.key === keyOf(spec) && kept.connection.closedReason === undefined) return kept.connection;
    await this.dropServer(spec.serverId);
    return undefined;
  }

  keepServer(spec: ServerSpec, connection: ReconnectingConnection): void {
    this.#servers.set(spec.serverId, { key: keyOf(spec), connection });
  }

  /** Stops a server. */
  async dropServer(serverId: string): Promise<void> {
    const kept = this.#servers.get(serverId);
    this.#servers.delete(serverId);
    await kept?.connection.close();
  }

  /** The running application with this manifest; undefined when it must be started. Stops one that cannot be used. */
  async application(spec: ApplicationSpec): Promise<Application | undefined> {
    const kept = this.#applications.get(spec.app_id);
    if (kept?.key === hashOf(spec) && kept.app.isUp) return kept.app;
    this.#applications.delete(spec.app_id);
    await kept?.app.stop();
    return undefined;
  }

  /** Keeps an application before it starts, so that `close` stops it in any case. */
  keepApplication(spec: ApplicationSpec, app: Application): void {
    this.#applications.set(spec.app_id, { key: hashOf(spec), app });
  }

  /** A new folder for a copy of the tree. Running applications use the earlier copies. */
  nextCopyDir(): string {
    this.#copies += 1;
    return join(this.#servicesDir, this.#copies === 1 ? 'apps' : `apps-${this.#copies}`);
  }

  /** Stops everything. Idempotent; never rejects. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await Promise.all([
      ...[...this.#servers.values()].map(({ connection }) => connection.close()),
      ...[...this.#applications.values()].map(({ app }) => app.stop()),
    ]);
  }
}

const keyOf = ({ serverId, config, complete = false }: ServerSpec): string => hashOf({ serverId, config, complete });

const hashOf = (value: unknown): string => canonicalHash(value as Json);
