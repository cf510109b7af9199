import { type Problem, problemOf } from '@reins/contracts';
import { McpConnection } from './client/mcp-connection.ts';
import { ReconnectingConnection } from './client/reconnecting-connection.ts';
import type { ProcessContext, ServerSpec } from './client/server-spec.ts';
import { type DiscoveredTools, discover, type MissingTools } from './inventory/discover.ts';
import type { PackageCache } from './packages/package-cache.ts';
import { packageServer } from './packages/package-server.ts';
import { titleOf } from './packages/package-title.ts';
import type { StartSteps } from './start-steps.ts';

/** A server with its connection and tools, or the problem for which it did not start. */
export interface ConnectedServer {
  readonly spec: ServerSpec;
  readonly connection?: ReconnectingConnection;
  readonly found?: DiscoveredTools;
  /** Why the server did not start. */
  readonly problem?: Problem;
}

/** How a server is started. */
export interface ServerStart {
  readonly requested: readonly string[];
  readonly processes: ProcessContext;
  readonly packages: Pick<PackageCache, 'use'>;
  readonly missingTools?: MissingTools;
  readonly steps: StartSteps;
  /** The name of the server for people. */
  readonly shown: string;
}

/**
 * Installs the package of a server, starts the server and lists its tools.
 * @throws the signal's reason, after the server was stopped
 */
export async function connectServer(
  spec: ServerSpec,
  start: ServerStart,
  signal: AbortSignal,
): Promise<ConnectedServer> {
  const { requested, processes, missingTools, steps, shown } = start;
  let connection: McpConnection | undefined;
  try {
    const complete = await withPackage(spec, start, signal);
    steps.begin(shown, 'starting MCP servers');
    connection = await McpConnection.open(complete, processes, signal);
    steps.begin(shown, 'waiting for the tools of');
    const found = await discover(connection, requested, signal, missingTools);
    return { spec, connection: new ReconnectingConnection(connection, processes), found };
  } catch (error) {
    await connection?.close();
    signal.throwIfAborted();
    return { spec, problem: problemOf(error) };
  }
}

/** Installs the package of a server, if it has one. */
async function withPackage(
  spec: ServerSpec,
  { packages, processes, steps, shown }: ServerStart,
  signal: AbortSignal,
): Promise<ServerSpec> {
  const { config, serverId } = spec;
  if (config.type !== 'local' || config.package === undefined) return spec;
  const item = config.package;
  const installed = await packages.use(item, () => steps.begin(shown, 'installing', titleOf(item)), signal);
  return packageServer(serverId, config, item, installed, processes.path);
}
