import { type Problem, ReinsError } from '@reins/contracts';
import type { LocalMcpConfig, McpServerPayload, RemoteMcpConfig } from '../mcp/payloads.ts';
import { fillTemplate, parseValue } from '../mcp/placeholders.ts';
import type { ModelClient } from '../model/client.ts';
import type { HostRequest } from './host-request.ts';

/** What only a host knows. */
export interface HostValues {
  readonly workspaceDir: string;
  /** A variable's value. */
  readonly environment: (name: string) => string | undefined;
  /** A setting's value, by its path. */
  readonly setting: (path: string) => string | undefined;
}

/** A request with everything in place. It is never stored and never told. */
export interface ResolvedHostRequest {
  readonly request: HostRequest;
  /** Every value that was put in; what the host emits is redacted by them. */
  readonly secrets: ReadonlySet<string>;
}

const SETTING = /^\{setting:([^{}]+)\}$/;

/**
 * Puts values in the places that name them: MCP headers and environments, the model's key and headers, the folder. Words of people are
 * not touched: a placeholder in an instruction is just text. All that is missing is raised together.
 */
export function resolveHostRequest(request: HostRequest, values: HostValues): ResolvedHostRequest {
  const resolver = new Resolver(values);
  const resolved: HostRequest = {
    ...request,
    workspace_dir: values.workspaceDir,
    model_client: request.model_client === null ? null : resolver.client(request.model_client),
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

  client(client: ModelClient): ModelClient {
    const { api_key, default_headers } = client;
    return {
      ...client,
      api_key: api_key === null ? null : this.#text(api_key, 'model_client.api_key'),
      default_headers: default_headers === null ? null : this.#map(default_headers, 'model_client.default_headers'),
    };
  }

  server(server: McpServerPayload): McpServerPayload {
    return { ...server, config: this.#config(server.config, `mcp_servers.${server.name}`) };
  }

  #config(config: LocalMcpConfig | RemoteMcpConfig, path: string): LocalMcpConfig | RemoteMcpConfig {
    return config.type === 'local'
      ? { ...config, environment: this.#map(config.environment, `${path}.environment`) }
      : { ...config, headers: this.#map(config.headers, `${path}.headers`) };
  }

  #map(map: Readonly<Record<string, string>>, path: string): Readonly<Record<string, string>> {
    return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, this.#text(value, `${path}.${key}`)]));
  }

  #text(value: string, path: string): string {
    const setting = SETTING.exec(value)?.[1];
    if (setting !== undefined) return this.#known(this.#values.setting(setting), `setting '${setting}'`, path);
    const parsed = parseValue(value);
    if (parsed.kind !== 'template') return value;
    return fillTemplate(parsed.parts, (name) =>
      this.#known(this.#values.environment(name), `environment variable '${name}'`, path),
    );
  }

  #known(value: string | undefined, what: string, path: string): string {
    if (value === undefined) {
      this.problems.push({
        code: 'host_value_missing',
        message: `${what} is required by '${path}' and not known to this host`,
        path,
        hint: 'give every host of the installation the same variables and settings',
      });
      return '';
    }
    this.secrets.add(value);
    return value;
  }
}
