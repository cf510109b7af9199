import type { Socket } from 'node:net';
import type { BusLog } from '@reins/bus';
import type { ProcessNetwork } from '@reins/harness';
import { allowList } from '../egress/allow-list.ts';
import { EgressProxy, type RefusedConnection } from '../egress/egress-proxy.ts';
import { type DoorSocket, DoorSockets } from './door-sockets.ts';
import type { NetworkMode, NetworkModes } from './network-mode.ts';

/** A server of this host on the loopback interface, which can also serve other connections. */
export interface DoorServer {
  readonly port: number;
  accept(connection: Socket): void;
}

export interface HostNetworkOptions {
  readonly modes: NetworkModes;
  /** The destinations of `host.allow`. */
  readonly allow: readonly string[];
  /** Absent: no run opens its doors. */
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
  readonly #shared = new Map<DoorServer, Promise<DoorSocket>>();
  #services: RunNetwork | undefined;

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
    return this.#open(
      modes.executors,
      { own: tools ? [tools] : [], shared: modelDoor ? [modelDoor] : [] },
      (refused) => {
        log.warn({ ...refused, setting: 'host.allow' }, 'connection of a run refused');
        onRefused(refused);
      },
    );
  }

  /** The network of the servers and tools of workspaces. */
  async ofServices(): Promise<ProcessNetwork | undefined> {
    const { modes, log } = this.#options;
    if (modes.services === 'open') return undefined;
    this.#services ??= await this.#open(modes.services, { own: [], shared: [] }, (refused) =>
      log.warn({ ...refused, setting: 'host.allow' }, 'connection of a service refused'),
    );
    return this.#services.network;
  }

  /** Ends all connections to destinations outside. */
  async close(): Promise<void> {
    for (const socket of await Promise.all(this.#shared.values())) socket.close();
    await Promise.all([this.#proxy?.close(), this.#sockets?.close()]);
  }

  async #open(
    mode: Exclude<NetworkMode, 'open'>,
    { own, shared }: { readonly own: readonly DoorServer[]; readonly shared: readonly DoorServer[] },
    onRefused: OnRefused,
  ): Promise<RunNetwork> {
    const proxy = mode === 'allow-list' ? this.#proxy : undefined;
    const access = proxy?.open(onRefused);
    const ownSockets = await Promise.all(own.map((server) => this.#sockets?.open((socket) => server.accept(socket))));
    const all = [...shared, ...(proxy ? [proxy] : [])];
    const sharedSockets = await Promise.all(all.map((server) => this.#sharedSocket(server)));
    const doors = [...own, ...all].map(({ port }, index) => ({
      port,
      socket: [...ownSockets, ...sharedSockets][index]?.path ?? NO_SOCKET,
    }));
    return {
      network: { doors, variables: access ? proxyVariables(access.url) : {} },
      secrets: access ? [access.token] : [],
      close: () => {
        access?.close();
        for (const socket of ownSockets) socket?.close();
      },
    };
  }

  async #sharedSocket(server: DoorServer): Promise<DoorSocket | undefined> {
    if (!this.#sockets) return undefined;
    const socket = this.#shared.get(server) ?? this.#sockets.open((connection) => server.accept(connection));
    this.#shared.set(server, socket);
    return socket;
  }
}

/** Without a network namespace, doors are ports of the host. */
const NO_SOCKET = '/dev/null';

/** Programs read these names in lower or upper case. Node.js needs the last one. */
function proxyVariables(url: string): Record<string, string> {
  const none = 'localhost,127.0.0.1,::1';
  const pairs = [...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].map((name) => [name, url]), ['NO_PROXY', none]];
  const both = pairs.flatMap(([name = '', value = '']) => [
    [name, value],
    [name.toLowerCase(), value],
  ]);
  return { ...Object.fromEntries(both), NODE_USE_ENV_PROXY: '1' };
}
