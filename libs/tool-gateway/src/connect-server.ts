import { type Problem, problemOf } from '@reins/contracts';
import { McpConnection } from './client/mcp-connection.ts';
import { ReconnectingConnection } from './client/reconnecting-connection.ts';
import type { ProcessContext, ServerSpec } from './client/server-spec.ts';
import { type DiscoveredTools, discover, type MissingTools } from './inventory/discover.ts';
import type { KeptServices } from './kept/kept-services.ts';
import type { ServerOwner, SharedServers } from './kept/shared-servers.ts';
import type { PackageCache } from './packages/package-cache.ts';
import { packageServer } from './packages/package-server.ts';
import { titleOf } from './packages/package-title.ts';
import type { StartSteps } from './start-steps.ts';

/** A server with its connection and tools, or the problem that prevented its start. */
export interface ConnectedServer {
  readonly spec: ServerSpec;
  readonly connection?: ReconnectingConnection;
  readonly found?: DiscoveredTools;
  /** Why the server did not start. */
  readonly problem?: Problem;
  /** Set for a shared server. Call it when the stage no longer uses the server. */
  readonly release?: () => void;
}

/** How a server is started. */
export interface ServerStart {
  readonly requested: readonly string[];
  readonly processes: ProcessContext;
  readonly packages: Pick<PackageCache, 'use'>;
  readonly missingTools?: MissingTools;
  readonly steps: StartSteps;
  /** The services that already run. A server that is started is added to them. */
  readonly kept: KeptServices;
  /** The servers that requests share. */
  readonly shared: SharedServers;
  readonly owner: ServerOwner;
  /** The display name of the server. */
  readonly displayName: string;
}

/**
 * Returns a server that an earlier stage started, or installs its package and starts it. Lists its tools.
 * @throws the signal's reason, after stopping the server that this call started
 */
export async function connectServer(
  spec: ServerSpec,
  start: ServerStart,
  signal: AbortSignal,
): Promise<ConnectedServer> {
  if (isShared(spec)) return useShared(spec, start, signal);
  const { requested, kept, missingTools } = start;
  const running = await kept.server(spec);
  if (running) {
    const found = await discover(running, requested, signal, missingTools).catch(() => undefined);
    signal.throwIfAborted();
    if (found) return { spec, connection: running, found };
    await kept.dropServer(spec.serverId);
  }
  return startServer(spec, start, signal);
}

/** Whether all requests of the workspace share the server. */
export const isShared = ({ config }: ServerSpec): boolean =>
  config.type === 'local' && config.isolation === 'workspace';

async function useShared(spec: ServerSpec, start: ServerStart, signal: AbortSignal): Promise<ConnectedServer> {
  const { requested, missingTools, steps, displayName, shared, owner } = start;
  let release = (): void => undefined;
  try {
    const complete = async (stop: AbortSignal): Promise<ServerSpec> => {
      const completed = await withPackage(spec, start, stop);
      steps.begin(displayName, 'starting MCP servers');
      return completed;
    };
    const used = await shared.use(owner, spec, complete, signal);
    release = used.release;
    const found = await discover(used.connection, requested, signal, missingTools);
    return { spec, connection: used.connection, found, release };
  } catch (error) {
    release();
    signal.throwIfAborted();
    return { spec, problem: problemOf(error) };
  }
}

async function startServer(spec: ServerSpec, start: ServerStart, signal: AbortSignal): Promise<ConnectedServer> {
  const { requested, processes, missingTools, steps, displayName, kept } = start;
  let opened: McpConnection | undefined;
  try {
    const complete = await withPackage(spec, start, signal);
    steps.begin(displayName, 'starting MCP servers');
    opened = await McpConnection.open(complete, processes, signal);
    steps.begin(displayName, 'waiting for the tools of');
    const found = await discover(opened, requested, signal, missingTools);
    const connection = new ReconnectingConnection(opened, processes);
    kept.keepServer(spec, connection);
    return { spec, connection, found };
  } catch (error) {
    await opened?.close();
    signal.throwIfAborted();
    return { spec, problem: problemOf(error) };
  }
}

/** Installs the package of a server, if it has one. */
async function withPackage(
  spec: ServerSpec,
  { packages, processes, steps, displayName }: ServerStart,
  signal: AbortSignal,
): Promise<ServerSpec> {
  const { config, serverId } = spec;
  if (config.type !== 'local' || config.package === undefined) return spec;
  const item = config.package;
  const installed = await packages.use(item, () => steps.begin(displayName, 'installing', titleOf(item)), signal);
  return packageServer(serverId, config, item, installed, processes.path);
}
