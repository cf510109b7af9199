import { type Problem, ReinsError } from '@reins/contracts';
import type { LocalMcpConfig, McpServerPayload, RemoteMcpConfig } from '../mcp/payloads.ts';
import { fillTemplate, parseValue } from '../mcp/placeholders.ts';
import type { ModelClient } from '../model/client.ts';
import type { HostRequest } from './host-request.ts';

/** Values that only a host knows. */
export interface HostValues {
  readonly workspaceDir: string;
  /** The value of an environment variable that servers of workspaces may have. */
  readonly environment: (name: string) => string | undefined;
  /** The value of an environment variable for the model client: also those with the keys of providers. */
  readonly modelEnvironment: (name: string) => string | undefined;
  /** The value of a setting, by its path. Only for the model client. */
  readonly setting: (path: string) => string | undefined;
}

/** A request with resolved placeholders. It must not be stored or logged. */
export interface ResolvedHostRequest {
  readonly request: HostRequest;
  /** All resolved values. The host redacts them in its output. */
  readonly secrets: ReadonlySet<string>;
}

const SETTING = /^\{setting:([^{}]+)\}$/;

/**
 * Replaces the placeholders in MCP headers and environments, in the model's key and headers, and the folder. Text
 * written by people is not changed: a placeholder in an instruction stays as it is. Servers never receive the key of a
 * provider.
 * @throws ReinsError `host_value_missing` with all missing values
 */
export function resolveHostRequest(request: HostRequest, values: HostValues): ResolvedHostRequest {
  const resolver = new Resolver(values);
  const resolved: HostRequest = {
    ...request,
    workspace_dir: values.workspaceDir,
    model_client: request.model_client === null ? null : resolver.client(request.model_client, request.provider_id),
    mcp_servers: request.mcp_servers.map((server) => resolver.server(server)),
  };
  if (resolver.problems.length > 0) throw new ReinsError(resolver.problems);
  return { request: resolved, secrets: resolver.secrets };
}

class Resolver {
  readonly problems: Problem[] = [];
  readonly secrets = new Set<string>();
  readonly #values: HostValues;

  constructor(values: HostValues) {
    this.#values = values;
  }

  /** @param providerId the provider in the settings, by which problems name it */
  client(client: ModelClient, providerId: string | null): ModelClient {
    const { api_key, default_headers } = client;
    const path = providerId === null ? 'model_client' : `providers.${providerId}`;
    const fill = (value: string, place: string): string => this.#modelText(value, place);
    return {
      ...client,
      api_key: api_key === null ? null : fill(api_key, `${path}.apiKeyEnv`),
      default_headers: default_headers === null ? null : mapValues(default_headers, `${path}.headers`, fill),
    };
  }

  server(server: McpServerPayload): McpServerPayload {
    return { ...server, config: this.#config(server.config, `mcp_registry.servers.${server.name}`) };
  }

  #config(config: LocalMcpConfig | RemoteMcpConfig, path: string): LocalMcpConfig | RemoteMcpConfig {
    const fill = (value: string, place: string): string => this.#text(value, place, this.#values.environment);
    return config.type === 'local'
      ? { ...config, environment: mapValues(config.environment, `${path}.environment`, fill) }
      : { ...config, headers: mapValues(config.headers, `${path}.headers`, fill) };
  }

  #modelText(value: string, path: string): string {
    const setting = SETTING.exec(value)?.[1];
    if (setting !== undefined) return this.#known(this.#values.setting(setting), `setting '${setting}'`, setting);
    return this.#text(value, path, this.#values.modelEnvironment);
  }

  #text(value: string, path: string, environment: HostValues['environment']): string {
    const parsed = parseValue(value);
    if (parsed.kind !== 'template') return value;
    return fillTemplate(parsed.parts, (name) => this.#known(environment(name), `environment variable '${name}'`, path));
  }

  #known(value: string | undefined, what: string, path: string): string {
    if (value === undefined) {
      this.problems.push({
        code: 'host_value_missing',
        message: `${what} is required by '${path}', but this host does not have it`,
        path,
        hint: 'Set the variable or setting before you start the host, or correct the name. Configure all hosts the same way.',
      });
      return '';
    }
    this.secrets.add(value);
    return value;
  }
}

const mapValues = (
  map: Readonly<Record<string, string>>,
  path: string,
  fill: (value: string, path: string) => string,
): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, fill(value, `${path}.${key}`)]));
