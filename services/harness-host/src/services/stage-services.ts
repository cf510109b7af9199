import { join } from 'node:path';
import {
  type AdapterEvent,
  type DegradedServer,
  type DeniedTool,
  type JsonValue,
  type McpServerMapping,
  ReinsError,
} from '@reins/contracts';
import type { HarnessAdapter, HarnessResult, McpEndpoint } from '@reins/harness';
import type { HostRequest } from '@reins/runtime-config';
import type { RunServices } from '@reins/tool-gateway';
import type { Redactor } from '../secrets/redactor.ts';
import type { ServicesHost } from './services-host.ts';

/** What the services of a stage add to what is told at its end. */
export interface ServicesOutcome {
  readonly degradedServers?: readonly DegradedServer[];
  readonly deniedTools?: readonly DeniedTool[];
}

/** The one server that an executor is told of: the run's tool gateway. */
const GATEWAY = 'reins';

/**
 * Whether a request asks for anything beside its executor that its runtime can make use of. Most ask for nothing, and then nothing of this
 * is loaded. A runtime without MCP runs without.
 * @throws ReinsError `harness_unsupported` when the run must not go on without
 */
export function needsServices({ runtimeId, capabilities }: HarnessAdapter, request: HostRequest): boolean {
  const { mcp_servers, workspace_tools, applications, required_servers: needed } = request;
  const asks = [mcp_servers, applications, needed].some(({ length }) => length > 0) || workspace_tools !== null;
  if (!asks || capabilities.mcp !== 'none') return asks;
  if (needed.length === 0) return false;
  const message = `the runtime ${runtimeId} has no MCP, and the run cannot do without ${needed.join(', ')}`;
  throw new ReinsError({ code: 'harness_unsupported', message, path: 'required_servers' });
}

/** The workspace code that runs beside the executor of one stage: servers, applications, and the door to their tools. */
export class StageServices {
  /** What went to them or opens them; it must not be told. */
  readonly secrets: readonly string[];
  /** What was not there from the start. */
  readonly #degraded: readonly DegradedServer[];
  readonly #services: RunServices;
  readonly #forget: () => void;

  private constructor(services: RunServices, secrets: readonly string[], forget: () => void) {
    this.#services = services;
    this.#forget = forget;
    this.secrets = services.gateway ? [...secrets, services.gateway.token] : secrets;
    this.#degraded = services.unavailable;
  }

  /**
   * Starts what a resolved request asks for, in its working folder and beside it.
   * @throws the signal's reason, when nothing of it is left
   */
  static async start(
    host: ServicesHost,
    request: HostRequest,
    folder: { readonly root: string; readonly workDir: string },
    signal: AbortSignal,
  ): Promise<StageServices> {
    const { startRunServices } = await import('@reins/tool-gateway');
    const tokens: string[] = [];
    const secrets = new Set<string>();
    const forget = (): void => {
      for (const token of tokens) host.forget(token);
    };
    const place = {
      workDir: folder.workDir,
      servicesDir: join(folder.root, 'services'),
      path: host.path,
      newToken: () => host.newToken(),
      onProcess: (process: { readonly runToken: string; kill(): void }) => {
        tokens.push(process.runToken);
        host.watch(process);
      },
      variable: (name: string) => {
        const value = host.variable(name);
        if (value) secrets.add(value);
        return value;
      },
    };
    const { workspace_id, session_id, input_id } = request;
    const caller = { workspaceId: workspace_id, sessionId: session_id, inputId: input_id };
    const mappings = request.run_started_payload.mcp_server_mappings ?? [];
    try {
      return new StageServices(
        await startRunServices({ ...request, caller, mappings }, place, signal),
        [...secrets],
        forget,
      );
    } catch (error) {
      forget();
      throw error;
    }
  }

  /** What the executor is given. */
  get endpoints(): readonly McpEndpoint[] {
    const { gateway } = this.#services;
    if (!gateway) return [];
    return [{ serverId: GATEWAY, url: gateway.url, headers: { authorization: `Bearer ${gateway.token}` } }];
  }

  /** The end of a stage that cannot begin, since a server is missing that it cannot do without; undefined when none is. */
  requiredServerFailure(redactor: Redactor): HarnessResult | undefined {
    const needed = this.#degraded.filter(({ required }) => required);
    if (needed.length === 0) return undefined;
    const reasons = needed.map(({ serverId, reason }) => `'${serverId}' (${reason})`).join(', ');
    const message = redactor.text(`the run cannot do without ${reasons}`);
    return { status: 'failed', error: { code: 'mcp_server_unavailable', message }, retryable: true };
  }

  /** A signal with tools under the ids that plans and policies know, not under the names that executors call. */
  withToolIds(signal: AdapterEvent): AdapterEvent {
    const idOf = (name: string): string => this.#services.toolIdOf(name) ?? name;
    if (signal.toolId !== undefined) return { ...signal, toolId: idOf(signal.toolId) };
    return signal.tools === undefined ? signal : { ...signal, tools: signal.tools.map(idOf) };
  }

  /** What is to be told at the start. */
  outcomeAtStart(redactor: Redactor): ServicesOutcome {
    return this.#degraded.length === 0 ? {} : { degradedServers: redacted(redactor, this.#degraded) };
  }

  /** What is to be told at the end beside that: what was lost meanwhile, and denied. */
  outcomeAtEnd(redactor: Redactor): ServicesOutcome {
    // One that lacked a tool from the start may have been lost since.
    const known = new Set(this.#degraded.map(serverKey));
    const lost = this.#services.unavailable.filter((server) => !known.has(serverKey(server)));
    const { denied } = this.#services;
    return {
      ...(lost.length > 0 && { degradedServers: redacted(redactor, lost) }),
      ...(denied.length > 0 && { deniedTools: redacted(redactor, denied) }),
    };
  }

  /** Ends all of it. Idempotent; never rejects. */
  async close(): Promise<void> {
    await this.#services.close();
    this.#forget();
  }
}

const serverKey = ({ serverId, reason }: DegradedServer): string => `${serverId}\n${reason}`;

const redacted = <T>(redactor: Redactor, items: readonly T[]): readonly T[] =>
  redactor.value(items as unknown as JsonValue) as unknown as readonly T[];

/** The reason for which services are given up that did not come up in the time that the stage has. */
export function servicesStartTimeout(): ReinsError {
  const message = 'the servers and applications of the run did not come up in the time that the stage has';
  return new ReinsError({ code: 'harness_timeout_startup', message });
}

/** The servers of a request whose ids differ on this machine. */
export function mappingsOf({
  run_started_payload: { mcp_server_mappings: mappings = [] },
}: HostRequest): McpServerMapping[] {
  return mappings.map(({ logical_id, physical_id }) => ({ logicalId: logical_id, physicalId: physical_id }));
}
