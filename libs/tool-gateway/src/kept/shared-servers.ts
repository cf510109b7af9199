import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProcessSandbox } from '@reins/harness';
import { canonicalHash, type Json } from '@reins/runtime-config';
import { McpConnection } from '../client/mcp-connection.ts';
import { ReconnectingConnection } from '../client/reconnecting-connection.ts';
import type { ProcessContext, ServerSpec, WatchedProcess } from '../client/server-spec.ts';
import { type OpenNetwork, type OwnNetwork, sandboxWith } from '../own-network.ts';
import { SharedWork } from '../packages/shared-work.ts';

/** Whose server it is: requests with the same values share it. */
export interface ServerOwner {
  readonly workspaceId: string;
  /** The revision of the workspace file. */
  readonly revision: string;
  /** The name of the API key that submitted the requests. Null: they did not come through the API. */
  readonly actor: string | null;
  /** The user that its callers say they work for. Null: the requests name no user. */
  readonly userId: string | null;
}

export interface SharedServersOptions {
  /** Returns the folder for the homes of servers, which exists. Its owner removes it after `close`. */
  readonly dir: () => Promise<string>;
  readonly path: string;
  readonly sandbox?: ProcessSandbox | undefined;
  /** Opens the network of one server, which ends with it. Absent: servers have that of `sandbox`. */
  readonly openNetwork?: OpenNetwork | undefined;
  readonly newToken: () => string;
  readonly onProcess: (process: WatchedProcess) => void;
  /** Called when the process with this token has stopped for good. */
  readonly onStopped: (runToken: string) => void;
  /** How long a server runs without a stage that uses it. Default ten minutes. */
  readonly idleMs?: number;
}

/** A server in use by a stage. */
export interface SharedServer {
  readonly connection: ReconnectingConnection;
  /** The stage no longer uses it. Idempotent. */
  release(): void;
}

interface Running {
  readonly connection: ReconnectingConnection;
  readonly tokens: readonly string[];
  readonly network: OwnNetwork | undefined;
  users: number;
  idle: NodeJS.Timeout | undefined;
}

const IDLE_MS = 600_000;

/**
 * The servers that declare `isolation: workspace`. All requests with the same workspace, revision, API key, user,
 * configuration and secrets share one process on this host. It has no tree and nothing of a request in its environment;
 * each call names its caller.
 */
export class SharedServers {
  readonly #options: SharedServersOptions;
  readonly #running = new Map<string, Running>();
  readonly #starts = new SharedWork<Running>();
  readonly #closing = new Set<Promise<void>>();
  #isClosed = false;

  constructor(options: SharedServersOptions) {
    this.#options = options;
  }

  /**
   * Returns the running server, or starts it.
   * @param complete completes the specification before a start, such as with the folder of its package
   * @throws ReinsError `mcp_server_failed`, and what `complete` throws; the signal's reason
   */
  async use(
    owner: ServerOwner,
    spec: ServerSpec,
    complete: (stop: AbortSignal) => Promise<ServerSpec>,
    signal: AbortSignal,
  ): Promise<SharedServer> {
    // The configuration has the values of secrets.
    const key = canonicalHash({ ...owner, serverId: spec.serverId, config: spec.config } as unknown as Json);
    const lost = this.#running.get(key);
    if (lost && lost.connection.closedReason !== undefined) this.#stop(key, lost);
    const start = async (stop: AbortSignal): Promise<Running> => this.#start(key, await complete(stop), stop);
    const running = this.#running.get(key) ?? (await this.#starts.run(key, signal, start));
    clearTimeout(running.idle);
    running.users += 1;
    let isUsed = true;
    const release = (): void => {
      if (isUsed) this.#release(key, running);
      isUsed = false;
    };
    return { connection: running.connection, release };
  }

  /** Stops all servers, and starts none from now on. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const [key, running] of [...this.#running]) this.#stop(key, running);
    await Promise.all(this.#closing);
  }

  async #start(key: string, spec: ServerSpec, stop: AbortSignal): Promise<Running> {
    const { onProcess } = this.#options;
    const tokens: string[] = [];
    const network = await this.#options.openNetwork?.(`shared server ${spec.serverId}`);
    const open = async (): Promise<ReconnectingConnection> => {
      const context = await this.#contextOf(key, network, (process) => {
        tokens.push(process.runToken);
        onProcess(process);
      });
      return new ReconnectingConnection(await McpConnection.open(spec, context, stop), context);
    };
    const connection = await open().catch((error: unknown) => {
      network?.close();
      throw error;
    });
    const running: Running = { connection, tokens, network, users: 0, idle: undefined };
    // The stage that asked for it may have given up.
    this.#stopWhenIdle(key, running);
    this.#running.set(key, running);
    if (this.#isClosed) this.#stop(key, running);
    return running;
  }

  async #contextOf(
    key: string,
    network: OwnNetwork | undefined,
    onProcess: SharedServersOptions['onProcess'],
  ): Promise<ProcessContext> {
    const { dir, path, newToken } = this.#options;
    const sandbox = sandboxWith(this.#options.sandbox, network);
    const folder = join(await dir(), createHash('sha256').update(key).digest('hex').slice(0, 16));
    const [cwd, homeDir] = [join(folder, 'work'), join(folder, 'home')];
    await Promise.all([cwd, homeDir].map((each) => mkdir(each, { recursive: true })));
    return { cwd, homeDir, trees: [cwd], path, sandbox, newToken, onProcess };
  }

  #release(key: string, running: Running): void {
    running.users -= 1;
    if (running.users === 0 && this.#running.get(key) === running) this.#stopWhenIdle(key, running);
  }

  #stopWhenIdle(key: string, running: Running): void {
    running.idle = setTimeout(() => this.#stop(key, running), this.#options.idleMs ?? IDLE_MS).unref();
  }

  #stop(key: string, running: Running): void {
    clearTimeout(running.idle);
    if (this.#running.get(key) === running) this.#running.delete(key);
    const closing = running.connection.close().finally(() => {
      this.#closing.delete(closing);
      running.network?.close();
      for (const token of running.tokens) this.#options.onStopped(token);
    });
    this.#closing.add(closing);
  }
}
