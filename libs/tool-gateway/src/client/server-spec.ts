import type { ProcessSandbox } from '@reins/harness';
import type { LocalMcpConfig, RemoteMcpConfig } from '@reins/runtime-config';
import type { HostPaths } from '../errors/error-excerpt.ts';
import type { Connect } from './socket-fetch.ts';

/** The default timeout of a server for a response. */
export const DEFAULT_TIMEOUT_MS = 30_000;

/** One MCP server of a run, with all references resolved. */
export interface ServerSpec {
  /** The physical id. */
  readonly serverId: string;
  readonly config: LocalMcpConfig | RemoteMcpConfig;
  /** The folder of its package, which it may read. */
  readonly packageFolder?: string;
  /** The Unix socket by which this host reaches a server at a `url`. Absent: it connects to the address. */
  readonly socket?: string | undefined;
  /** Whether its first list of tools is complete. If not, missing tools are polled for. */
  readonly complete?: boolean;
}

/** The folders, PATH and tokens for the processes of a run's servers. */
export interface ProcessContext extends HostPaths {
  /** The working directory of the processes. */
  readonly cwd: string;
  /** The home of the processes: next to the run's tree, removed with it. */
  readonly homeDir: string;
  readonly path: string;
  /** The sandbox around the processes. Absent: they have the rights of this process. */
  readonly sandbox?: ProcessSandbox | undefined;
  /** Connects to remote servers. Absent: nothing restricts them. */
  readonly connect?: Connect | undefined;
  /** Creates a run token for one process, by which a sweep finds it. */
  readonly newToken: () => string;
  /** Called for every process that starts. */
  readonly onProcess?: (process: WatchedProcess) => void;
}

/** A process of the run, for monitoring its memory. `kill` kills it. */
export interface WatchedProcess {
  readonly runToken: string;
  kill(): void;
}
