import { type Problem, ReinsError } from '@reins/contracts';
import type { McpPlan, ResolvedMcpServer } from '../plan.ts';
import { fillTemplate, invalidPlaceholder, missingVariable, parseValue, type ValueSite } from './placeholders.ts';
import { physicalIdOf, type ServerIdMap } from './server-ids.ts';

/** How a local MCP server is started. */
export interface LocalMcpConfig {
  readonly type: 'local';
  readonly enabled: boolean;
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly timeout: number;
}

/** How a remote MCP server is reached. */
export interface RemoteMcpConfig {
  readonly type: 'remote';
  readonly enabled: boolean;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeout: number;
}

/** One MCP server of a run, under its physical name. The refresh mark tells a host that keeps servers to connect anew. */
export interface McpServerPayload {
  readonly name: string;
  readonly config: LocalMcpConfig | RemoteMcpConfig;
  readonly _holaboss_force_refresh?: boolean;
}

/** What becomes of a placeholder: its value, or nothing when the variable does not exist. */
export type PlaceholderPolicy = (name: string) => string | undefined;

/** Puts the values of an environment in place. Used where a server is started, never before. */
export function resolveFromEnvironment(environment: Readonly<Record<string, string>>): PlaceholderPolicy {
  return (name) => (Object.hasOwn(environment, name) ? environment[name] : undefined);
}

/** Keeps placeholders as they are and only checks that the installation has the names. */
export function keepKnownPlaceholders(names: ReadonlySet<string>): PlaceholderPolicy {
  return (name) => (names.has(name) ? `{env:${name}}` : undefined);
}

/**
 * The servers of a plan as payloads, in the plan's order. Only the map that a server's transport uses is read: the headers of a
 * remote one, the environment of a local one. All problems are raised together.
 */
export function mcpServerPayloads(
  plan: McpPlan,
  map: ServerIdMap | null,
  policy: PlaceholderPolicy,
): readonly McpServerPayload[] {
  const problems: Problem[] = [];
  const payloads = plan.resolved_mcp_servers.map((server) => ({
    name: physicalIdOf(map, server.server_id),
    config: configOf(server, policy, problems),
  }));
  if (problems.length > 0) throw new ReinsError(problems);
  return payloads;
}

function configOf(
  server: ResolvedMcpServer,
  policy: PlaceholderPolicy,
  problems: Problem[],
): LocalMcpConfig | RemoteMcpConfig {
  const values = (map: ValueSite['map']): Record<string, string> =>
    Object.fromEntries(
      server[map].map(([key, value]) => [
        key,
        filledValue(value, { serverId: server.server_id, map, key }, policy, problems),
      ]),
    );
  const timeout = server.timeout_ms;
  return server.type === 'local'
    ? { type: 'local', enabled: true, command: [...server.command], environment: values('environment'), timeout }
    : { type: 'remote', enabled: true, url: server.url ?? '', headers: values('headers'), timeout };
}

function filledValue(value: string, site: ValueSite, policy: PlaceholderPolicy, problems: Problem[]): string {
  const parsed = parseValue(value);
  if (parsed.kind === 'literal') return value;
  if (parsed.kind === 'invalid') {
    problems.push(invalidPlaceholder(site, parsed.shown));
    return '';
  }
  return fillTemplate(parsed.parts, (name) => {
    const found = policy(name);
    if (found === undefined) problems.push(missingVariable(site, name));
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

/** The payloads of a plan with the workspace server's place taken by its running sidecar. */
export function effectiveMcpServerPayloads(
  plan: McpPlan,
  sidecar: McpSidecar | null,
  map: ServerIdMap | null,
  policy: PlaceholderPolicy,
): readonly McpServerPayload[] {
  const payloads = mcpServerPayloads(plan, map, policy);
  return sidecar === null ? payloads : withSidecar(payloads, sidecar);
}

/** Puts a sidecar in the place of the payload that has its name, or at the end. */
export function withSidecar(payloads: readonly McpServerPayload[], sidecar: McpSidecar): readonly McpServerPayload[] {
  const served: McpServerPayload = {
    name: sidecar.physical_server_id,
    config: { type: 'remote', enabled: true, url: sidecar.url, headers: {}, timeout: sidecar.timeout_ms },
    _holaboss_force_refresh: !sidecar.reused,
  };
  return payloads.some((payload) => payload.name === served.name)
    ? payloads.map((payload) => (payload.name === served.name ? served : payload))
    : [...payloads, served];
}
