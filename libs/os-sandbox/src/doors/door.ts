/** A port of the loopback interface of a child that leads to a server of the host. */
export interface Door {
  /** The server has this port on the host, and the child has it in the sandbox. */
  readonly port: number;
  /** The absolute path of a Unix socket on which the server listens as well. It must not be in a hidden folder. */
  readonly socket: string;
}

/**
 * What a child can reach: nothing, the network of the host, or only these doors. With its own network namespace, it can
 * also use the loopback interface in it. Landlock only restricts the ports of TCP connections, to all addresses.
 */
export type Network = 'none' | 'host' | { readonly doors: readonly Door[] };

export const doorsOf = (network: Network): readonly Door[] => (typeof network === 'string' ? [] : network.doors);
