import { type Problem, ReinsError } from '@reins/contracts';
import type { McpPlan, ResolvedMcpServer, ServerPackage } from '../plan.ts';
import { fillTemplate, invalidPlaceholder, missingVariable, parseValue, type ValueLocation } from './placeholders.ts';
import { physicalIdOf, type ServerIdMap } from './server-ids.ts';

/** How to start a local MCP server. */
export interface LocalMcpConfig {
  readonly type: 'local';
  readonly enabled: boolean;
  /** The program and its arguments. Empty if it has a package, whose own program is started. */
  readonly command: readonly string[];
  /** The package that the host installs before it starts the server. */
  readonly package?: ServerPackage;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeout: number;
  /** All requests of the workspace share one process. Absent: each request has its own. */
  readonly isolation?: 'workspace';
}

/** How to reach a remote MCP server. */
export interface RemoteMcpConfig {
  readonly type: 'remote';
  readonly enabled: boolean;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeout: number;
}

/**
 * An MCP server of a run, with its physical name. `_holaboss_force_refresh` makes a host with existing connections
 * reconnect.
 */
export interface McpServerPayload {
  readonly name: string;
  readonly config: LocalMcpConfig | RemoteMcpConfig;
  readonly _holaboss_force_refresh?: boolean;
}

/** Maps the variable name of a placeholder to its replacement, or to undefined when the variable does not exist. */
export type PlaceholderPolicy = (name: string) => string | undefined;

/** Replaces placeholders with values of an environment. Used only where a server is started. */
export function resolveFromEnvironment(environment: Readonly<Record<string, string>>): PlaceholderPolicy {
  return (name) => (Object.hasOwn(environment, name) ? environment[name] : undefined);
}

/** Keeps placeholders, and only checks that the installation has the variables. */
export function keepKnownPlaceholders(names: ReadonlySet<string>): PlaceholderPolicy {
  return (name) => (names.has(name) ? `{env:${name}}` : undefined);
}

/**
 * The payloads of a plan's servers, in plan order. Placeholders are processed in the headers of remote servers and in
 * the environment of local ones.
 * @throws ReinsError with all invalid placeholders and missing variables
 */
export function mcpServerPayloads(
  plan: McpPlan,
  map: ServerIdMap | null,
  policy: PlaceholderPolicy,
): readonly McpServerPayload[] {
  const problems: Problem[] = [];
  const packages = new Map(Object.entries(plan.extensions?.server_packages ?? {}));
  const shared = new Set(plan.extensions?.shared_servers);
  const fill = (value: string, location: ValueLocation): string => filledValue(value, location, policy, problems);
  const payloads = plan.resolved_mcp_servers.map((server) => ({
    name: physicalIdOf(map, server.server_id),
    config: configOf(
      server,
      { ofPackage: packages.get(server.server_id), isShared: shared.has(server.server_id) },
      fill,
    ),
  }));
  if (problems.length > 0) throw new ReinsError(problems);
  return payloads;
}

function configOf(
  server: ResolvedMcpServer,
  { ofPackage, isShared }: { readonly ofPackage: ServerPackage | undefined; readonly isShared: boolean },
  fill: (value: string, location: ValueLocation) => string,
): LocalMcpConfig | RemoteMcpConfig {
  const values = (map: ValueLocation['map']): Record<string, string> =>
    Object.fromEntries(server[map].map(([key, value]) => [key, fill(value, { serverId: server.server_id, map, key })]));
  const timeout = server.timeout_ms;
  if (server.type === 'remote')
    return { type: 'remote', enabled: true, url: server.url ?? '', headers: values('headers'), timeout };
  return {
    type: 'local',
    enabled: true,
    command: [...server.command],
    ...(ofPackage && { package: ofPackage }),
    environment: values('environment'),
    timeout,
    ...(isShared && { isolation: 'workspace' }),
  };
}

function filledValue(value: string, location: ValueLocation, policy: PlaceholderPolicy, problems: Problem[]): string {
  const parsed = parseValue(value);
  if (parsed.kind === 'literal') return value;
  if (parsed.kind === 'invalid') {
    problems.push(invalidPlaceholder(location, parsed.shown));
    return '';
  }
  return fillTemplate(parsed.parts, (name) => {
    const found = policy(name);
    if (found === undefined) problems.push(missingVariable(location, name));
    return found ?? '';
  });
}

/** The running sidecar that serves a workspace's own tools. */
export interface McpSidecar {
  readonly physical_server_id: string;
  readonly url: string;
  readonly timeout_ms: number;
  readonly reused: boolean;
}

/** The payloads of a plan, in which the running sidecar replaces the workspace server. */
export function effectiveMcpServerPayloads(
  plan: McpPlan,
  sidecar: McpSidecar | null,
  map: ServerIdMap | null,
  policy: PlaceholderPolicy,
): readonly McpServerPayload[] {
  const payloads = mcpServerPayloads(plan, map, policy);
  return sidecar === null ? payloads : withSidecar(payloads, sidecar);
}

/** Replaces the payload with the name of the sidecar, or appends it. */
export function withSidecar(payloads: readonly McpServerPayload[], sidecar: McpSidecar): readonly McpServerPayload[] {
  const sidecarPayload: McpServerPayload = {
    name: sidecar.physical_server_id,
    config: { type: 'remote', enabled: true, url: sidecar.url, headers: {}, timeout: sidecar.timeout_ms },
    _holaboss_force_refresh: !sidecar.reused,
  };
  return payloads.some((payload) => payload.name === sidecarPayload.name)
    ? payloads.map((payload) => (payload.name === sidecarPayload.name ? sidecarPayload : payload))
    : [...payloads, sidecarPayload];
}
