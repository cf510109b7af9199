/** A port of the loopback interface of a child that leads to a server of the host. */
export interface Door {
  /** The server has this port on the host, and the child has it in the sandbox. */
  readonly port: number;
  /** The absolute path of a Unix socket on which the server listens as well. It must not be in a hidden folder. */
  readonly socket: string;
}

/** A port on which the child listens, and by which the host reaches it. */
export interface ServedPort {
  readonly port: number;
  /**
   * The absolute path of a Unix socket that is created for the host. It must be in a folder that the child cannot see:
   * otherwise it could replace the socket with a link to another one.
   */
  readonly socket: string;
}

/**
 * What a child can reach: nothing, the network of the host, or only these doors. With its own network namespace, it can
 * also use the loopback interface in it. Landlock only restricts the ports of TCP connections, to all addresses.
 */
export type Network = 'none' | 'host' | RestrictedNetwork;

export interface RestrictedNetwork {
  readonly doors: readonly Door[];
  /** The ports of the child that the host can reach. Only with bubblewrap. */
  readonly served?: readonly ServedPort[] | undefined;
}

export const doorsOf = (network: Network): readonly Door[] => (typeof network === 'string' ? [] : network.doors);

export const servedPortsOf = (network: Network): readonly ServedPort[] =>
  typeof network === 'string' ? [] : (network.served ?? []);

/** Whether a process in the network of the child connects it with servers outside. */
export const needsForwarder = (network: Network): boolean =>
  doorsOf(network).length + servedPortsOf(network).length > 0;
