import type { ProcessNetwork, ProcessSandbox } from '@reins/harness';

/** The network of one shared server, or of one setup of an application. Nothing else has it. */
export interface OwnNetwork {
  /** Absent: it is not restricted. */
  readonly network: ProcessNetwork | undefined;
  /** Closes its doors. Idempotent. */
  close(): void;
}

/** @param user what uses the network, in words: the host logs it with connections that it refuses */
export type OpenNetwork = (user: string) => Promise<OwnNetwork | undefined>;

/** The sandbox with the network of its process. */
export const sandboxWith = (
  sandbox: ProcessSandbox | undefined,
  own: Pick<OwnNetwork, 'network'> | undefined,
): ProcessSandbox | undefined => (sandbox && own?.network ? { ...sandbox, network: own.network } : sandbox);
