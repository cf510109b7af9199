import type { LocalMcpConfig, RemoteMcpConfig } from '@reins/runtime-config';
import type { HostPaths } from '../errors/error-excerpt.ts';

/** How long a server has for an answer whose manifest leaves that empty. */
export const DEFAULT_TIMEOUT_MS = 30_000;

/** One MCP server of a run, everything resolved. */
export interface ServerSpec {
  /** The physical id. */
  readonly serverId: string;
  readonly config: LocalMcpConfig | RemoteMcpConfig;
  /** What it offers at first is all that it offers: a tool that is missing then is not waited for. */
  readonly complete?: boolean;
}

/** Where the processes of a run's servers live. */
export interface ProcessContext extends HostPaths {
  /** Their working folder. */
  readonly cwd: string;
  /** Their home: beside the run's tree, removed with it. */
  readonly homeDir: string;
  readonly path: string;
  /** A run token for one process; whoever sweeps what a host left behind knows it by that. */
  readonly newToken: () => string;
  /** Told of every process that starts; ends it by force. */
  readonly onProcess?: (process: WatchedProcess) => void;
}

/** A process of the run, for whoever watches what it uses. */
export interface WatchedProcess {
  readonly runToken: string;
  kill(): void;
}
