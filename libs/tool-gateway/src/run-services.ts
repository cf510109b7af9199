import { join } from 'node:path';
import type { Tool } from '@modelcontextprotocol/client';
import { type JsonObject, mapParallel, type Problem, type TraceHeaders } from '@reins/contracts';
import type { ProcessSandbox } from '@reins/harness';
import {
  type AppCaller,
  type HostRequest,
  type McpServerPayload,
  mergeMcpServerPayloads,
  type ServerIdMapping,
} from '@reins/runtime-config';
import { startApplications } from './applications/start-applications.ts';
import type { ProcessContext, ServerSpec, WatchedProcess } from './client/server-spec.ts';
import type { Connect } from './client/socket-fetch.ts';
import { waitForAll } from './concurrency.ts';
import { type ConnectedServer, connectServer, isShared } from './connect-server.ts';
import { unavailableReason } from './errors/reason-of.ts';
import { Elicitations, type ElicitationsOptions } from './gateway/elicitations.ts';
import { type GatewayEndpoint, openGateway } from './gateway/gateway-endpoint.ts';
import { ToolCalls } from './gateway/tool-calls.ts';
import type { ToolOutputListener } from './gateway/tool-output.ts';
import type { CallAuthority, Denial } from './guard/gate.ts';
import type { MissingTools } from './inventory/discover.ts';
import { type RunTool, runTools, toolsFingerprint } from './inventory/run-tool.ts';
import { KeptServices } from './kept/kept-services.ts';
import type { SharedServers } from './kept/shared-servers.ts';
import type { OwnTool } from './own/own-tool.ts';
import type { PackageCache } from './packages/package-cache.ts';
import type { SetupCache } from './setups/setup-cache.ts';
import { sidecarServer } from './sidecar/sidecar-server.ts';
import { StartSteps } from './start-steps.ts';
import { type UnavailableServer, unavailableOf, undeclaredServers } from './unavailable.ts';

/** The request that services are started for. */
export interface ServicesCaller extends AppCaller {
  /** The user that the request works for. */
  readonly userId?: string | null;
  /** The name of the API key that submitted the request. */
  readonly actor?: string | null;
}

/** The services of a resolved host request. */
export type ServicesRequest = Pick<
  HostRequest,
  | 'mcp_servers'
  | 'mcp_tool_refs'
  | 'workspace_tools'
  | 'applications'
  | 'gated_tools'
  | 'granted_tools'
  | 'required_servers'
> & {
  readonly session_kind?: string;
  readonly caller: ServicesCaller;
  readonly mappings: readonly ServerIdMapping[];
  /** The revision of the workspace file. Shared servers belong to it. */
  readonly workspace_config_checksum: string;
};

/** The folders and other inputs for the services of a run. */
export interface ServicesContext {
  /** The stage's tree. */
  readonly workDir: string;
  /** A folder for homes and copies. The owner of the run removes it. */
  readonly servicesDir: string;
  readonly path: string;
  /** The sandbox around everything that is started. Absent: those processes have the rights of this process. */
  readonly sandbox?: ProcessSandbox | undefined;
  readonly newToken: () => string;
  /** Connects to remote servers, if the network of services is restricted. */
  readonly connect?: Connect | undefined;
  /** The packages of MCP servers on this host. */
  readonly packages: Pick<PackageCache, 'use'>;
  readonly onProcess?: (process: WatchedProcess) => void;
  /** Called when the start begins another step. `label` says what it waits for. */
  readonly onStep?: (label: string) => void;
  /** Returns a variable of the installation that workspaces may use. */
  readonly variable: (name: string) => string | undefined;
  /** The tools that Reins itself serves to the run. */
  readonly ownTools?: readonly OwnTool[];
  /** Gated tools that were opened during the run. The gateway reads the list at each call. */
  readonly openedTools?: readonly string[];
  /**
   * What earlier stages of the request started. It receives what this stage starts, and its owner closes it. Absent:
   * everything stops with these services.
   */
  readonly kept?: KeptServices;
  /** The trace context of the run, which servers learn with each call. Absent: none. */
  readonly trace?: TraceHeaders | undefined;
  /** Questions of servers to the user. Absent: they are declined. */
  readonly elicitations?: ElicitationsOptions;
  /** The results of the setups of applications on this host. Absent: each run executes its own setup. */
  readonly setups?: Pick<SetupCache, 'apply'>;
  /** The servers that requests share on this host. */
  readonly sharedServers: SharedServers;
  /** The policy of the run. Absent: it permits what the run has. */
  readonly authority?: CallAuthority | undefined;
  /** Called for each call that is refused. */
  readonly onDenied?: (denial: Denial) => void;
  /** Called with what tools of the workspace print during calls. */
  readonly onToolOutput?: ToolOutputListener;
  /** The tools that servers lacked in earlier stages of the run. Those of this stage are added. */
  readonly missingTools?: MissingTools;
}

/** The running services of one stage run. */
export interface RunServices {
  /** The endpoint of the tools; undefined when there are no tools and no policy. */
  readonly gateway: GatewayEndpoint | undefined;
  readonly tools: readonly RunTool[];
  /** The declarations of all tools, as the endpoint lists them. */
  readonly declarations: readonly Tool[];
  readonly fingerprint: string;
  /** The servers that are unavailable now, including those that were lost during the run. */
  readonly unavailable: readonly UnavailableServer[];
  /** What each server and application offered when it started. */
  readonly started: readonly StartedServer[];
  /** Returns the id of a tool by its callable name. */
  toolIdOf(callableName: string): string | undefined;
  /** Ends the endpoint, and what runs only for these services. Idempotent; never rejects. */
  close(): Promise<void>;
}

/** The start of one server or application. */
export interface StartedServer {
  /** The logical id. */
  readonly serverId: string;
  /** The names of all its tools, including those that the run may not use. */
  readonly toolNames: readonly string[];
  /** Tools of the workspace that could not be loaded. */
  readonly failedTools: readonly { readonly toolId: string; readonly reason: string }[];
  /** Why it did not start. */
  readonly problem?: Problem;
}

const CONCURRENCY = 8;

/**
 * Starts the servers and applications of a run concurrently, discovers their tools and serves them. Services that do
 * not start are listed in `unavailable`; the others are usable.
 * @throws the signal's reason, after all services were stopped
 */
export async function startRunServices(
  request: ServicesRequest,
  context: ServicesContext,
  signal: AbortSignal,
): Promise<RunServices> {
  const kept = context.kept ?? new KeptServices(context.servicesDir);
  const connected: ConnectedServer[] = [];
  const end = async (): Promise<void> => {
    for (const { release } of connected) release?.();
    // Services that the caller passed are needed by the next stage, too.
    if (!context.kept) await kept.close();
  };
  try {
    const servers = await start(request, { ...context, kept, onConnected: (server) => connected.push(server) }, signal);
    return await serve(request, context, servers, end);
  } catch (error) {
    await end();
    throw error;
  }
}

interface StartContext extends ServicesContext {
  readonly kept: KeptServices;
  /** Called for each server, even if the start of others fails. */
  readonly onConnected: (server: ConnectedServer) => void;
}

async function start(
  request: ServicesRequest,
  context: StartContext,
  signal: AbortSignal,
): Promise<readonly ConnectedServer[]> {
  const { workDir, servicesDir, path, sandbox, connect: connectRemote, newToken, onProcess } = context;
  const { kept, sharedServers: shared } = context;
  const { workspaceId, userId = null, actor = null } = request.caller;
  const owner = { workspaceId, revision: request.workspace_config_checksum, actor, userId };
  const processes: ProcessContext = {
    cwd: workDir,
    homeDir: join(servicesDir, 'home'),
    trees: [workDir],
    path,
    sandbox,
    connect: connectRemote,
    newToken,
    ...(onProcess && { onProcess }),
  };
  const steps = new StartSteps((label) => context.onStep?.(label));
  const logicalIdOf = logicalIds(request);
  const connect = async (spec: ServerSpec): Promise<ConnectedServer> => {
    const requested = requestedToolNames(request, spec.serverId);
    const displayName = logicalIdOf(spec.serverId);
    const started = { ...context, requested, processes, steps, displayName, kept, shared, owner };
    const connected = await connectServer(spec, started, signal);
    context.onConnected(connected);
    steps.end(displayName);
    return connected;
  };
  const appIds = new Set(request.applications.map(({ app_id }) => app_id));
  // A server with the name of an application is that application.
  const specs = await serverSpecs(request, processes, (name) => appIds.has(name));
  const [servers, apps] = await waitForAll([
    mapParallel(specs, CONCURRENCY, connect),
    startApps(request, { ...context, steps }, processes, signal, connect),
  ]);
  signal.throwIfAborted();
  return [...servers, ...apps];
}

async function startApps(
  request: ServicesRequest,
  { workDir, variable, steps, kept, setups }: StartContext & { readonly steps: StartSteps },
  processContext: ProcessContext,
  signal: AbortSignal,
  connect: (spec: ServerSpec) => Promise<ConnectedServer>,
): Promise<readonly ConnectedServer[]> {
  const { applications, caller, mcp_servers } = request;
  const onStep = (appId: string): void => steps.begin(appId, 'starting applications');
  const started = await startApplications(
    { applications, caller, variable, workDir, processContext, kept, ...(setups && { setups }), onStep },
    signal,
  );
  return mapParallel(started, CONCURRENCY, async (app) => {
    const declared = mcp_servers.find(({ name }) => name === app.appId);
    if ('server' in app) {
      const [merged] = mergeMcpServerPayloads(declared ? [declared] : [], [app.server]);
      return connect({ serverId: app.appId, config: (merged ?? app.server).config, socket: app.socket });
    }
    const config = { type: 'remote', enabled: true, url: '', headers: {}, timeout: 1 } as const;
    steps.end(app.appId);
    return { spec: { serverId: app.appId, config }, problem: { code: 'app_start_failed', message: app.reason } };
  });
}

/** What a shared server learns about the caller of a tool. */
const callerMeta = ({ workspaceId, sessionId, inputId, userId }: ServicesCaller): JsonObject => ({
  'reins/caller': { workspaceId, sessionId, requestId: inputId, ...(typeof userId === 'string' && { userId }) },
});

/** The servers to connect. The sidecar of the workspace's own tools replaces its placeholder payload. */
async function serverSpecs(
  { mcp_servers, workspace_tools: tools }: ServicesRequest,
  context: ProcessContext,
  isApp: (name: string) => boolean,
): Promise<readonly ServerSpec[]> {
  const placeholder = mcp_servers.find(({ name }) => name === tools?.physical_server_id);
  const others = mcp_servers.filter((server) => server !== placeholder && server.config.enabled && !isApp(server.name));
  const specs = others.map(specOf);
  if (tools === null) return specs;
  const environment = placeholder?.config.type === 'local' ? placeholder.config.environment : {};
  return [...specs, await sidecarServer(tools, context, environment)];
}

const specOf = ({ name, config }: McpServerPayload): ServerSpec => ({ serverId: name, config });

const requestedToolNames = ({ mcp_tool_refs }: ServicesRequest, serverId: string): readonly string[] =>
  mcp_tool_refs.filter((ref) => ref.server_id === serverId).map((ref) => ref.tool_name);

/** Returns the name of a server in the workspace by its id in the run. */
function logicalIds({ mappings }: ServicesRequest): (serverId: string) => string {
  const logical = new Map(mappings.map(({ logical_id, physical_id }) => [physical_id, logical_id]));
  return (serverId) => logical.get(serverId) ?? serverId;
}

async function serve(
  request: ServicesRequest,
  context: ServicesContext,
  connected: readonly ConnectedServer[],
  stopAll: () => Promise<void>,
): Promise<RunServices> {
  const { ownTools = [], openedTools = [], trace, onToolOutput, authority, onDenied } = context;
  const logicalIdOf = logicalIds(request);
  const found = connected.flatMap(({ spec: { serverId }, found }) => (found ? [{ serverId, tools: found.tools }] : []));
  // An onboarding session may only use read-only tools.
  const tools = runTools(found, request.mcp_tool_refs, logicalIdOf).filter(
    ({ policy }) => request.session_kind !== 'onboarding' || policy === 'inspect',
  );
  const connections = new Map(
    connected.flatMap(({ spec, connection }) => (connection ? [[spec.serverId, connection] as const] : [])),
  );
  const gates = {
    gated_tools: request.gated_tools,
    get granted_tools() {
      return [...request.granted_tools, ...openedTools];
    },
  };
  const sharedIds = new Set(connected.flatMap(({ spec }) => (isShared(spec) ? [spec.serverId] : [])));
  // The protocol reserves `traceparent` and `tracestate` in `_meta` for the W3C trace context.
  const metaOf = (serverId: string): JsonObject | undefined => {
    const meta = { ...trace, ...(sharedIds.has(serverId) && callerMeta(request.caller)) };
    return Object.keys(meta).length === 0 ? undefined : meta;
  };
  const elicitations = context.elicitations && new Elicitations(context.elicitations);
  // The caller of a shared server during a question is unknown, so its questions are declined.
  for (const [serverId, connection] of connections)
    if (!sharedIds.has(serverId))
      connection.onElicitation = (asked) => elicitations?.answer(serverId, asked) ?? { action: 'decline' };
  const calls = new ToolCalls(tools, connections, gates, ownTools, metaOf, elicitations, onToolOutput, {
    authority,
    onDenied,
  });
  const gateway = calls.declarations.length > 0 || authority ? await openGateway(calls) : undefined;
  let unavailableAtClose: readonly UnavailableServer[] | undefined;
  const listUnavailable = (): readonly UnavailableServer[] => [
    ...connected.flatMap(({ spec: { serverId }, found, problem, connection }) =>
      unavailableOf(
        {
          serverId,
          downReason: problem ? unavailableReason(problem) : connection?.closedReason,
          failedTools: found?.failedTools ?? [],
          toolNames: found?.tools.map(({ name }) => name) ?? [],
        },
        request,
        tools,
        logicalIdOf,
      ),
    ),
    ...undeclaredServers(request, new Set(connected.map(({ spec }) => logicalIdOf(spec.serverId)))),
  ];
  let closing: Promise<void> | undefined;
  return {
    gateway,
    tools,
    declarations: calls.declarations,
    fingerprint: toolsFingerprint(tools),
    // Servers that `close` stopped are not reported as unavailable.
    get unavailable() {
      return unavailableAtClose ?? listUnavailable();
    },
    started: connected.map(({ spec, found, problem }) => ({
      serverId: logicalIdOf(spec.serverId),
      toolNames: found?.tools.map(({ name }) => name) ?? [],
      failedTools: found?.failedTools ?? [],
      ...(problem && { problem }),
    })),
    toolIdOf: (name) => calls.idOf(name),
    close() {
      unavailableAtClose ??= listUnavailable();
      closing ??= Promise.all([gateway?.close(), stopAll()]).then(() => undefined);
      return closing;
    },
  };
}
