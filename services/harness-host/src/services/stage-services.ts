import { join } from 'node:path';
import {
  type AdapterEvent,
  type DegradedServer,
  type JsonObject,
  type JsonValue,
  type McpServerMapping,
  ReinsError,
  type TraceHeaders,
} from '@reins/contracts';
import type { CallDecisions, HarnessAdapter, HarnessResult, McpEndpoint } from '@reins/harness';
import { type HostRequest, type McpToolAlias, mcpToolAliases } from '@reins/runtime-config';
import type { CallAuthority, Denial, RunServices, WatchedProcess } from '@reins/tool-gateway';
import type { Redactor } from '../secrets/redactor.ts';
import { type OwnTools, ownToolIds } from './own-tools.ts';
import type { RequestServices } from './request-services.ts';
import type { ServicesHost } from './services-host.ts';
import { toolHints } from './tool-hints.ts';

/** The fields that services add to the events of a stage. */
export interface ServicesOutcome {
  readonly degradedServers?: readonly DegradedServer[];
}

/** The server id of the run's tool gateway for the executor. */
const GATEWAY = 'reins';

/** Whether a request has servers, workspace tools or applications, which its stages share. */
export const hasSharedServices = ({ mcp_servers, workspace_tools, applications }: HostRequest): boolean =>
  mcp_servers.length > 0 || applications.length > 0 || workspace_tools !== null;

/**
 * Whether a request needs services that its runtime can use. A runtime without MCP runs without services.
 * @throws ReinsError `harness_unsupported` when the request requires servers and the runtime has no MCP
 */
export function needsServices(
  { runtimeId, capabilities }: HarnessAdapter,
  request: HostRequest,
  hasPolicy: boolean,
): boolean {
  const { required_servers: required } = request;
  const requested = hasSharedServices(request) || required.length > 0;
  if (capabilities.mcp !== 'none') return hasPolicy || requested || ownToolIds(request).length > 0;
  if (required.length === 0) return false;
  const message = `the runtime ${runtimeId} does not support MCP, but the run requires ${required.join(', ')}`;
  throw new ReinsError({ code: 'harness_unsupported', message, path: 'required_servers' });
}

/** What the services of a stage are started from. */
export interface StageServicesOptions {
  readonly runId: string;
  /** The resolved request. */
  readonly request: HostRequest;
  readonly folder: { readonly root: string; readonly workDir: string };
  /** What the stages of the request share. Absent: the request has no servers, workspace tools or applications. */
  readonly shared?: RequestServices | undefined;
  /** The tools of Reins. */
  readonly own: OwnTools;
  /** The trace context of the stage. */
  readonly trace: TraceHeaders | undefined;
  /** Called with what the start waits for. */
  readonly onStep: (label: string) => void;
  /** The policy of the run. Absent: it permits what the run has. */
  readonly authority?: CallAuthority | undefined;
  /** Called for each call that is refused. */
  readonly onDenied: (denial: Denial) => void;
}

/** The services of one stage: servers, applications, and the gateway to their tools. */
export class StageServices {
  /** The secrets that were passed to the services, and the gateway token. They must be redacted. */
  readonly secrets: readonly string[];
  /** The servers that were unavailable at the start. */
  readonly #degraded: readonly DegradedServer[];
  readonly #services: RunServices;
  /** The tools that the request names. */
  readonly #aliases: readonly McpToolAlias[];
  readonly #own: OwnTools;

  private constructor(services: RunServices, { own, request: { mcp_tool_refs }, shared }: StageServicesOptions) {
    this.#services = services;
    this.#own = own;
    this.#aliases = mcpToolAliases(mcp_tool_refs);
    this.secrets = [...(shared?.secrets ?? []), ...(services.gateway ? [services.gateway.token] : [])];
    this.#degraded = services.unavailable;
  }

  /**
   * Starts the services of a resolved request that do not run yet.
   * @throws the signal's reason. The owner of `shared` stops what was started
   */
  static async start(host: ServicesHost, options: StageServicesOptions, signal: AbortSignal): Promise<StageServices> {
    const { own, request, folder, shared, runId, trace, onStep, authority, onDenied } = options;
    const { startRunServices } = await import('@reins/tool-gateway');
    const setups = request.applications.length > 0 ? await host.setups : undefined;
    const context = {
      workDir: folder.workDir,
      servicesDir: shared?.servicesDir ?? join(folder.root, 'services'),
      path: host.path,
      ...{ sandbox: shared?.sandbox ?? host.sandbox, connect: host.connect },
      newToken: () => host.newToken(),
      ownTools: own.tools,
      openedTools: own.opened,
      onToolOutput: (toolId: string, text: string) => own.toolPrinted(toolId, text),
      ...(ownToolIds(request).includes('question') && {
        elicitations: {
          answered: own.answered,
          asked: (serverId: string, message: string) => own.asked(serverId, message),
          completed: (serverId: string) => own.completed(serverId),
        },
      }),
      packages: await host.packages,
      ...(setups && { setups }),
      sharedServers: await host.sharedServers,
      onStep,
      trace,
      authority,
      onDenied,
      missingTools: host.missingToolsOf(runId),
      onProcess: (process: WatchedProcess) => shared?.watch(process),
      variable: (name: string) => shared?.variable(name),
      ...(shared && { kept: shared.kept }),
    };
    const { workspace_id, session_id, input_id, user_id, actor } = request;
    const caller = {
      ...{ workspaceId: workspace_id, sessionId: session_id, inputId: input_id },
      ...{ userId: user_id, actor },
    };
    const mappings = request.run_started_payload.mcp_server_mappings ?? [];
    const services = await startRunServices({ ...request, caller, mappings }, context, signal);
    return new StageServices(services, options);
  }

  /** The server of the tools; undefined when there are none. */
  get gateway(): RunServices['gateway'] {
    return this.#services.gateway;
  }

  /** The MCP endpoints for the executor. */
  get endpoints(): readonly McpEndpoint[] {
    const { gateway } = this.#services;
    if (!gateway) return [];
    const headers = { authorization: `Bearer ${gateway.token}` };
    const tools = this.#services.declarations.map(({ name, description = '', inputSchema }) => ({
      name,
      description,
      parameters: { ...inputSchema } as JsonObject,
    }));
    return [{ serverId: GATEWAY, url: gateway.url, headers, tools }];
  }

  /** Where the executor asks about calls of its built-in tools. */
  get callDecisions(): CallDecisions | undefined {
    const { gateway } = this.#services;
    return gateway && { url: gateway.decisionsUrl, headers: { authorization: `Bearer ${gateway.token}` } };
  }

  /** Forwards the signals of the tools of Reins from now on. */
  listen(listener: OwnTools['onSignal']): void {
    this.#own.onSignal = listener;
  }

  /** The state of the tools of Reins, for the next execution of this conversation. */
  get state(): JsonObject {
    return this.#own.state;
  }

  /** The steps of the agent's list that are not completed. */
  get openSteps(): readonly string[] {
    return this.#own.openSteps;
  }

  /** What the agent decided, and what the user answered. */
  get decisions(): readonly string[] {
    return this.#own.decisions;
  }

  /** What the agent could not settle, and what the user did not answer. */
  get openQuestions(): readonly string[] {
    return this.#own.openQuestions;
  }

  /** The stage is suspended with a question to the user. */
  suspendedWith(question: JsonValue): void {
    this.#own.suspendedWith(question);
  }

  /** The result of a stage that cannot start because a required server is unavailable; undefined when none is. */
  requiredServerFailure(redactor: Redactor): HarnessResult | undefined {
    const required = this.#degraded.filter(({ required }) => required);
    if (required.length === 0) return undefined;
    const reasons = required.map(({ serverId, reason }) => `'${serverId}' (${reason})`).join(', ');
    const message = redactor.text(`required servers are unavailable: ${reasons}`);
    return { status: 'failed', error: { code: 'mcp_server_unavailable', message }, retryable: true };
  }

  /**
   * Replaces the callable names of tools in a signal with their ids, which plans and policies use. A new list of steps is
   * a plan. A list of tools gets the annotations of their servers.
   */
  withToolIds(signal: AdapterEvent): AdapterEvent {
    const idOf = (name: string): string => this.#services.toolIdOf(name) ?? name;
    if (signal.toolId === 'todowrite') return { ...signal, traceType: 'plan' };
    if (signal.toolId !== undefined) return { ...signal, toolId: idOf(signal.toolId) };
    if (signal.tools === undefined) return signal;
    const annotations = toolHints(this.#services.tools);
    const hasHints = Object.keys(annotations).length > 0;
    return { ...signal, tools: signal.tools.map(idOf), ...(hasHints && { detail: { annotations } }) };
  }

  /** The callable names of the tools that the request names and no server offers. */
  get missingTools(): readonly string[] {
    const missing = new Set(this.#degraded.flatMap(({ missingToolIds }) => missingToolIds));
    return this.#aliases.filter(({ tool_id }) => missing.has(tool_id)).map(({ callable_name }) => callable_name);
  }

  /** The fields for the started event. */
  outcomeAtStart(redactor: Redactor): ServicesOutcome {
    return this.#degraded.length === 0 ? {} : { degradedServers: redacted(redactor, this.#degraded) };
  }

  /** The fields for the final event: servers that were lost during the run. */
  outcomeAtEnd(redactor: Redactor): ServicesOutcome {
    // Compared by id and reason: a server that lacked a tool at the start may have been lost since.
    const known = new Set(this.#degraded.map(serverKey));
    const lost = this.#services.unavailable.filter((server) => !known.has(serverKey(server)));
    return lost.length > 0 ? { degradedServers: redacted(redactor, lost) } : {};
  }

  /** Closes the endpoint of the tools. The request keeps its servers and applications. Idempotent; never rejects. */
  close(): Promise<void> {
    return this.#services.close();
  }
}

const serverKey = ({ serverId, reason }: DegradedServer): string => `${serverId}\n${reason}`;

const redacted = <T>(redactor: Redactor, items: readonly T[]): readonly T[] =>
  redactor.value(items as unknown as JsonValue) as unknown as readonly T[];

/** The abort reason when services do not start within the time limit of the stage. */
export function servicesStartTimeout(): ReinsError {
  const message = 'the servers and applications of the run did not start within the time limit of the stage';
  return new ReinsError({ code: 'harness_timeout_startup', message });
}

/** The servers of a request whose physical id differs from the logical one. */
export function mappingsOf({
  run_started_payload: { mcp_server_mappings: mappings = [] },
}: HostRequest): McpServerMapping[] {
  return mappings.map(({ logical_id, physical_id }) => ({ logicalId: logical_id, physicalId: physical_id }));
}
