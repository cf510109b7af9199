import { join } from 'node:path';
import { problemOf } from '@reins/contracts';
import {
  type AppCaller,
  type HostRequest,
  type McpServerPayload,
  mergeMcpServerPayloads,
  type ServerIdMapping,
} from '@reins/runtime-config';
import { startApplications } from './applications/start-applications.ts';
import { KeptConnection } from './client/kept-connection.ts';
import { McpConnection } from './client/mcp-connection.ts';
import type { Place, ServerSpec, WatchedProcess } from './client/server-spec.ts';
import { openDoor, type RunDoor } from './gateway/gateway-endpoint.ts';
import { ToolCalls } from './gateway/tool-calls.ts';
import type { Denial } from './guard/gate.ts';
import { type Discovered, discover } from './inventory/discover.ts';
import { type RunTool, runTools, toolsFingerprint } from './inventory/run-tool.ts';
import { limited, settled } from './limited.ts';
import { sidecarServer } from './sidecar/sidecar-server.ts';
import { type UnavailableServer, unavailableOf, undeclared } from './unavailable.ts';

/** What a resolved host request asks for beside its executor. */
export type ServicesRequest = Pick<
  HostRequest,
  | 'mcp_servers'
  | 'mcp_tool_refs'
  | 'workspace_tools'
  | 'applications'
  | 'gated_tools'
  | 'granted_tools'
  | 'required_servers'
> & { readonly caller: AppCaller; readonly mappings: readonly ServerIdMapping[] };

/** Where it runs. */
export interface ServicesPlace {
  /** The stage's tree. */
  readonly workDir: string;
  /** A folder beside it, for homes and copies; whoever owns the run removes it. */
  readonly besideDir: string;
  readonly path: string;
  readonly newToken: () => string;
  readonly onProcess?: (process: WatchedProcess) => void;
  /** A variable of the installation that workspaces may have. */
  readonly variable: (name: string) => string | undefined;
}

/** The running services of one stage run. */
export interface RunServices {
  /** Where its executor finds the tools; undefined when there is none. */
  readonly door: RunDoor | undefined;
  readonly tools: readonly RunTool[];
  readonly fingerprint: string;
  /** As it stands now: also servers that were lost while the run went on. */
  readonly unavailable: readonly UnavailableServer[];
  readonly denied: readonly Denial[];
  /** The id of a tool by the name under which executors call it. */
  toolIdOf(callableName: string): string | undefined;
  /** Ends everything. Idempotent; never rejects. */
  close(): Promise<void>;
}

const AT_A_TIME = 8;

interface Reached {
  readonly spec: ServerSpec;
  readonly connection?: KeptConnection;
  readonly found?: Discovered;
  readonly reason?: string;
}

/**
 * Starts the servers and applications of a run side by side, finds their tools and opens the door to them. What does not come up is
 * told by `unavailable`; the rest is there.
 * @throws the signal's reason, after everything was ended again
 */
export async function startRunServices(
  request: ServicesRequest,
  place: ServicesPlace,
  signal: AbortSignal,
): Promise<RunServices> {
  const cleanups: (() => Promise<void>)[] = [];
  try {
    return await start(request, place, signal, cleanups);
  } catch (error) {
    await Promise.all(cleanups.map((end) => end()));
    throw error;
  }
}

async function start(
  request: ServicesRequest,
  place: ServicesPlace,
  signal: AbortSignal,
  cleanups: (() => Promise<void>)[],
): Promise<RunServices> {
  const { workDir, besideDir, path, newToken, onProcess } = place;
  const processes: Place = {
    cwd: workDir,
    homeDir: join(besideDir, 'home'),
    trees: [workDir, copyDirIn(besideDir)],
    path,
    newToken,
    ...(onProcess && { onProcess }),
  };
  const reach = async (spec: ServerSpec): Promise<Reached> => {
    const reached = await reachServer(spec, wantedOf(request, spec.serverId), processes, signal);
    const { connection } = reached;
    if (connection) cleanups.push(() => connection.close());
    return reached;
  };
  const appIds = new Set(request.applications.map(({ app_id }) => app_id));
  // A server of the registry whose name is an application's is that application.
  const own = await serverSpecs(request, processes, (name) => appIds.has(name));
  const [servers, apps] = await settled([
    limited(own, AT_A_TIME, reach),
    startApps(request, place, processes, signal, cleanups, reach),
  ]);
  const reached = [...servers, ...apps];
  signal.throwIfAborted();
  return serve(request, reached, cleanups);
}

/** Where applications work. */
const copyDirIn = (besideDir: string): string => join(besideDir, 'apps');

async function startApps(
  request: ServicesRequest,
  { workDir, besideDir, variable }: ServicesPlace,
  place: Place,
  signal: AbortSignal,
  cleanups: (() => Promise<void>)[],
  reach: (spec: ServerSpec) => Promise<Reached>,
): Promise<readonly Reached[]> {
  const { applications, caller, mcp_servers } = request;
  const started = await startApplications(
    {
      ...{ applications, caller, variable, workDir, place },
      copyDir: copyDirIn(besideDir),
      onBegin: (stop) => cleanups.push(stop),
    },
    signal,
  );
  return limited(started, AT_A_TIME, async (app) => {
    const declared = mcp_servers.find(({ name }) => name === app.appId);
    if ('server' in app) {
      const [merged] = mergeMcpServerPayloads(declared ? [declared] : [], [app.server]);
      return reach({ serverId: app.appId, config: (merged ?? app.server).config });
    }
    const config = { type: 'remote', enabled: true, url: '', headers: {}, timeout: 1 } as const;
    return { spec: { serverId: app.appId, config }, reason: app.reason };
  });
}

/** The servers to start or reach, the workspace's own in the place of the payload that stands for it. */
async function serverSpecs(
  { mcp_servers, workspace_tools: tools }: ServicesRequest,
  place: Place,
  isApp: (name: string) => boolean,
): Promise<readonly ServerSpec[]> {
  const standIn = mcp_servers.find(({ name }) => name === tools?.physical_server_id);
  const others = mcp_servers.filter((server) => server !== standIn && server.config.enabled && !isApp(server.name));
  const specs = others.map(specOf);
  if (tools === null) return specs;
  const environment = standIn?.config.type === 'local' ? standIn.config.environment : {};
  return [...specs, await sidecarServer(tools, place, environment)];
}

const specOf = ({ name, config }: McpServerPayload): ServerSpec => ({ serverId: name, config });

const wantedOf = ({ mcp_tool_refs }: ServicesRequest, serverId: string): readonly string[] =>
  mcp_tool_refs.filter((ref) => ref.server_id === serverId).map((ref) => ref.tool_name);

async function reachServer(
  spec: ServerSpec,
  wanted: readonly string[],
  place: Place,
  signal: AbortSignal,
): Promise<Reached> {
  let connection: McpConnection | undefined;
  try {
    connection = await McpConnection.open(spec, place, signal);
    const found = await discover(connection, wanted, signal);
    return { spec, connection: new KeptConnection(connection, place), found };
  } catch (error) {
    await connection?.close();
    signal.throwIfAborted();
    return { spec, reason: problemOf(error).message };
  }
}

async function serve(
  request: ServicesRequest,
  reached: readonly Reached[],
  cleanups: (() => Promise<void>)[],
): Promise<RunServices> {
  const logical = new Map(request.mappings.map(({ logical_id, physical_id }) => [physical_id, logical_id]));
  const logicalIdOf = (serverId: string): string => logical.get(serverId) ?? serverId;
  const found = reached.flatMap(({ spec: { serverId }, found }) => (found ? [{ serverId, tools: found.tools }] : []));
  const tools = runTools(found, request.mcp_tool_refs, logicalIdOf);
  const connections = new Map(
    reached.flatMap(({ spec, connection }) => (connection ? [[spec.serverId, connection] as const] : [])),
  );
  const calls = new ToolCalls(tools, connections, request);
  const door = tools.length > 0 ? await openDoor(calls) : undefined;
  if (door) cleanups.unshift(() => door.close());
  let lost: readonly UnavailableServer[] | undefined;
  const unavailable = (): readonly UnavailableServer[] => [
    ...reached.flatMap(({ spec: { serverId }, found, reason, connection }) =>
      unavailableOf(
        { serverId, down: reason ?? connection?.gone, unloaded: found?.unloaded ?? [] },
        request,
        tools,
        logicalIdOf,
      ),
    ),
    ...undeclared(request, new Set(reached.map(({ spec }) => logicalIdOf(spec.serverId)))),
  ];
  let closing: Promise<void> | undefined;
  return {
    door,
    tools,
    fingerprint: toolsFingerprint(tools),
    // What is gone because it was ended here is not missing.
    get unavailable() {
      return lost ?? unavailable();
    },
    get denied() {
      return calls.denied;
    },
    toolIdOf: (name) => calls.idOf(name),
    close() {
      lost ??= unavailable();
      closing ??= Promise.all(cleanups.map((end) => end())).then(() => undefined);
      return closing;
    },
  };
}
