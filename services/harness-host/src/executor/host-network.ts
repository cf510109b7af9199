import { Socket } from 'node:net';
import type { BusLog } from '@reins/bus';
import { ReinsError } from '@reins/contracts';
import type { ProcessNetwork } from '@reins/harness';
import type { Connect } from '@reins/tool-gateway';
import { allowList } from '../egress/allow-list.ts';
import { connectAllowed, resolveName } from '../egress/connect-allowed.ts';
import { EgressProxy, type RefusedConnection } from '../egress/egress-proxy.ts';
import { DoorSockets } from './door-sockets.ts';
import type { NetworkMode, NetworkModes } from './network-mode.ts';

/** A server on the host's loopback interface. `accept` also serves a connection that arrived on a Unix socket. */
export interface DoorServer {
  readonly port: number;
  accept(connection: Socket): void;
}

export interface HostNetworkOptions {
  readonly modes: NetworkModes;
  /** The destinations of `host.allow`. */
  readonly allow: readonly string[];
  /** Absent where no executor runs, such as for probes of services. */
  readonly modelDoor?: DoorServer;
  readonly log: BusLog;
}

/** The network of one run. */
export interface RunNetwork {
  /** Absent: it is not restricted. */
  readonly network: ProcessNetwork | undefined;
  /** What must be redacted: the token for the proxy. */
  readonly secrets: readonly string[];
  /** Closes the doors of the run. Idempotent. */
  close(): void;
}

/** Reports a connection that was refused. */
export type OnRefused = (refused: RefusedConnection) => void;

/** A restricted network without doors, such as for probes. */
export const CLOSED: ProcessNetwork = { doors: [], variables: {} };
const OPEN: RunNetwork = { network: undefined, secrets: [], close: () => undefined };

/** Opens the doors of this host to sandboxed processes: to the model, to the tools of a run, and to allowed destinations. */
export class HostNetwork {
  readonly #options: HostNetworkOptions;
  readonly #sockets: DoorSockets | undefined;
  readonly #proxy: EgressProxy | undefined;

  private constructor(options: HostNetworkOptions, sockets: DoorSockets | undefined, proxy: EgressProxy | undefined) {
    this.#options = options;
    this.#sockets = sockets;
    this.#proxy = proxy;
  }

  /** @throws ReinsError `settings_invalid` for an entry of `allow` that is not a destination */
  static async start(options: HostNetworkOptions): Promise<HostNetwork> {
    const { executors, services, limit } = options.modes;
    const allow = allowList(options.allow);
    const needsProxy = executors === 'allow-list' || services === 'allow-list';
    const proxy = needsProxy ? await EgressProxy.start({ allow }) : undefined;
    return new HostNetwork(options, limit === 'namespace' ? await DoorSockets.create() : undefined, proxy);
  }

  /**
   * Opens the doors of one run.
   * @param tools the server of its tools; undefined if it has none
   */
  async openRun(tools: DoorServer | undefined, onRefused: OnRefused): Promise<RunNetwork> {
    const { modes, modelDoor, log } = this.#options;
    if (modes.executors === 'open') return OPEN;
    const servers = [tools, modelDoor].filter((server) => server !== undefined);
    return this.#open(modes.executors, servers, (refused) => {
      log.warn({ ...refused, setting: 'host.allow' }, 'connection of a run refused');
      onRefused(refused);
    });
  }

  /**
   * Opens the network of what a workspace starts: the servers, tools and applications of one request, one shared server,
   * or one setup of an application.
   * @param user a description of the services for the log
   */
  async openServices(user: string): Promise<RunNetwork> {
    const { modes, log } = this.#options;
    if (modes.services === 'open') return OPEN;
    return this.#open(modes.services, [], (refused) =>
      log.warn({ ...refused, user, setting: 'host.allow' }, 'connection of a service refused'),
    );
  }

  /** The network of the host's helper processes, such as file copies: closed unless the mode of services is `open`. */
  get helperNetwork(): ProcessNetwork | undefined {
    return this.#options.modes.services === 'open' ? undefined : CLOSED;
  }

  /** How this host connects to the remote servers of workspaces. Undefined: without a restriction. */
  get connectRemote(): Connect | undefined {
    const { modes, allow, log } = this.#options;
    if (modes.services === 'open') return undefined;
    const list = allowList(modes.services === 'doors' ? [] : allow);
    return async ({ host, port }, signal) => {
      const to = { host: host.toLowerCase(), port };
      const found = await connectAllowed(to, { allow: list, resolve: resolveName, signal });
      if (found instanceof Socket) return found;
      log.warn({ ...to, reason: found.reason, setting: 'host.allow' }, 'connection to a remote server refused');
      const message = modes.services === 'doors' ? 'host.servicesNetwork is doors' : found.reason;
      throw new ReinsError({ code: 'mcp_server_failed', message: `the settings forbid ${host}:${port}: ${message}` });
    };
  }

  /** Closes the proxy and the sockets of the doors. */
  async close(): Promise<void> {
    await Promise.all([this.#proxy?.close(), this.#sockets?.close()]);
  }

  async #open(
    mode: Exclude<NetworkMode, 'open'>,
    servers: readonly DoorServer[],
    onRefused: OnRefused,
  ): Promise<RunNetwork> {
    const proxy = mode === 'allow-list' ? this.#proxy : undefined;
    const access = proxy?.open(onRefused);
    const all = [...servers, ...(proxy ? [proxy] : [])];
    // Each run has sockets of its own, so that it cannot use up the connections of others.
    const sockets = await Promise.all(all.map((server) => this.#sockets?.open((socket) => server.accept(socket))));
    const doors = all.map(({ port }, index) => ({ port, socket: sockets[index]?.path ?? NO_SOCKET }));
    return {
      network: { doors, variables: access ? proxyVariables(access.url) : {} },
      secrets: access ? [access.token] : [],
      close: () => {
        access?.close();
        for (const socket of sockets) socket?.close();
      },
    };
  }
}

/** Without a network namespace, doors are ports of the host. */
const NO_SOCKET = '/dev/null';

/** Programs read these names in lower or upper case. Node.js also needs NODE_USE_ENV_PROXY. */
function proxyVariables(url: string): Record<string, string> {
  const none = 'localhost,127.0.0.1,::1';
  const pairs = [...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].map((name) => [name, url]), ['NO_PROXY', none]];
  const both = pairs.flatMap(([name = '', value = '']) => [
    [name, value],
    [name.toLowerCase(), value],
  ]);
  return { ...Object.fromEntries(both), NODE_USE_ENV_PROXY: '1' };
}
