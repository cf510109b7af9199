import { formatPath } from '../diagnostics/path.ts';
import type { McpServerType, PlanPairs, ResolvedMcpServer } from '../plan.ts';
import type { Scope } from './scope.ts';
import { isAbsent, isMapping, type Mapping, own, record, text } from './values.ts';

export const WORKSPACE_SERVER = 'workspace';
const DEFAULT_TIMEOUT_MS = 10_000;

/** A declared server; `config` is absent where the declaration is broken, and then nothing is concluded from it. */
export interface DeclaredServer {
  readonly enabled: boolean;
  readonly config: ResolvedMcpServer | undefined;
}

export type Servers = Readonly<Record<string, DeclaredServer>>;

/** The server that runs the workspace's own tools; there without being declared. */
export const IMPLICIT_WORKSPACE_SERVER: ResolvedMcpServer = {
  server_id: WORKSPACE_SERVER,
  type: 'local',
  command: [],
  url: null,
  headers: [],
  environment: [],
  timeout_ms: DEFAULT_TIMEOUT_MS,
};

/** Reads `servers`; ids are trimmed, a later one of the same name replaces an earlier one. */
export function readServers(scope: Scope, declared: Mapping): Servers {
  const servers = record<DeclaredServer>();
  for (const [key, definition] of Object.entries(declared)) {
    const id = key.trim();
    if (id === '') continue;
    servers[id] = new ServerReader(scope, key, id).read(definition);
  }
  const workspace = servers[WORKSPACE_SERVER];
  if (workspace?.config && workspace.config.type !== 'local') {
    scope.report.error({
      code: 'workspace_mcp_server_invalid',
      at: {
        path: ['mcp_registry', 'servers', keyOf(declared, WORKSPACE_SERVER), 'type'],
        shown: 'mcp_registry.servers.workspace.type',
      },
      message: 'workspace MCP server must be local',
    });
  }
  return servers;
}

function keyOf(declared: Mapping, id: string): string {
  return Object.keys(declared).findLast((key) => key.trim() === id) ?? id;
}

/** Reads one declaration, field by field, in the order that decides which error comes first. */
class ServerReader {
  readonly #scope: Scope;
  readonly #key: string;
  readonly #id: string;
  #broken = false;

  constructor(scope: Scope, key: string, id: string) {
    this.#scope = scope;
    this.#key = key;
    this.#id = id;
  }

  read(definition: unknown): DeclaredServer {
    if (!isMapping(definition)) {
      this.#invalid([], 'server definition must be an object');
      return { enabled: true, config: undefined };
    }
    const type = this.#type(definition);
    const enabled = own(definition, 'enabled') === undefined || Boolean(own(definition, 'enabled'));
    const timeout = this.#timeout(own(definition, 'timeout_ms'));
    const headers = this.#pairs(own(definition, 'headers'), 'headers');
    const environment = this.#pairs(own(definition, 'environment'), 'environment');
    const command = type === 'local' ? this.#command(own(definition, 'command')) : [];
    const url = type === 'remote' ? this.#url(own(definition, 'url')) : null;
    if (this.#broken || !type) return { enabled, config: undefined };
    return {
      enabled,
      config: { server_id: this.#id, type, command, url, headers, environment, timeout_ms: timeout },
    };
  }

  #type(definition: Mapping): McpServerType | undefined {
    const type = text(own(definition, 'type'));
    if (type === 'local' || type === 'remote') return type;
    this.#invalid(['type'], "server type must be 'local' or 'remote'");
    return undefined;
  }

  #timeout(value: unknown): number {
    if (isAbsent(value)) return DEFAULT_TIMEOUT_MS;
    if (typeof value !== 'number' || !Number.isInteger(value)) {
      this.#invalid(['timeout_ms'], 'timeout_ms must be an integer when provided');
    } else if (value <= 0) this.#invalid(['timeout_ms'], 'timeout_ms must be greater than 0 when provided');
    else return value;
    return DEFAULT_TIMEOUT_MS;
  }

  #pairs(value: unknown, field: string): PlanPairs {
    if (isAbsent(value)) return [];
    if (!isMapping(value)) {
      this.#invalid([field], 'expected mapping object');
      return [];
    }
    const pairs: [string, string][] = [];
    for (const [key, entry] of Object.entries(value)) {
      const name = key.trim();
      if (name === '') continue;
      if (typeof entry === 'string') pairs.push([name, entry]);
      else this.#invalid([field, key], 'mapping values must be strings');
    }
    return pairs;
  }

  /** The command of the workspace server is of no use, but what is given has to be well-formed. */
  #command(value: unknown): readonly string[] {
    if (this.#id === WORKSPACE_SERVER && isAbsent(value)) return [];
    if (!Array.isArray(value)) {
      this.#invalid(['command'], 'expected non-empty list command');
      return [];
    }
    if (value.length === 0) this.#invalid(['command'], 'command list must not be empty');
    const tokens: string[] = [];
    for (const [i, entry] of (value as unknown[]).entries()) {
      const token = text(entry);
      if (token === undefined) this.#invalid(['command', i], 'command tokens must be non-empty strings');
      else tokens.push(token);
    }
    return this.#id === WORKSPACE_SERVER ? [] : tokens;
  }

  #url(value: unknown): string | null {
    const url = text(value);
    if (url === undefined) this.#invalid(['url'], "remote server requires non-empty string field 'url'");
    return url ?? null;
  }

  #invalid(field: readonly (string | number)[], message: string): void {
    this.#broken = true;
    const path = ['mcp_registry', 'servers', this.#key, ...field];
    const shown = this.#key === this.#id ? undefined : formatPath(['mcp_registry', 'servers', this.#id, ...field]);
    this.#scope.report.error({
      code: 'workspace_mcp_server_invalid',
      at: { path, ...(shown !== undefined && { shown }) },
      message,
    });
  }
}
