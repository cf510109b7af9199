import { load } from 'js-yaml';
import { asText, isMapping, type Mapping } from '../compile/values.ts';

/**
 * The rules of the legacy system, which checks one after the other and stops at the first error. They are implemented
 * independently of the compiler, for comparison. What passes here compiles unless a stricter check fails. What fails
 * here fails in the compiler with the same code and path.
 */
export function applyRules(workspaceYaml: string, references: Readonly<Record<string, string>>): Verdict {
  try {
    return { ok: true, servers: new Rules(references).workspace(workspaceYaml) };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, code: error.code, path: error.path };
    throw error;
  }
}

export type Verdict =
  | { readonly ok: true; readonly servers: readonly string[] }
  | { readonly ok: false; readonly code: string; readonly path: string };

class Refusal extends Error {
  readonly code: string;
  readonly path: string;

  constructor(code: string, path: string) {
    super(`${code} @ ${path}`);
    this.code = code;
    this.path = path;
  }
}

const TOOL_ID = /^[A-Za-z0-9][A-Za-z0-9_-]*\.[A-Za-z0-9][A-Za-z0-9_-]*$/;

const blank = (value: unknown): boolean => typeof value !== 'string' || value.trim() === '';
const ownProperty = (of: Mapping, key: string): unknown => (Object.hasOwn(of, key) ? of[key] : undefined);

function check(holds: boolean, code: string, path: string): asserts holds {
  if (!holds) throw new Refusal(code, path);
}

function parse(text: string, code: string, path: string): Mapping {
  let value: unknown;
  try {
    value = load(text);
  } catch {
    throw new Refusal(code, path);
  }
  check(isMapping(value), code, path);
  return value as Mapping;
}

interface Server {
  readonly type: string;
  readonly enabled: boolean;
}

class Rules {
  readonly #references: Readonly<Record<string, string>>;

  constructor(references: Readonly<Record<string, string>>) {
    this.#references = references;
  }

  workspace(text: string): readonly string[] {
    const root = parse(text, 'workspace_config_invalid_yaml', 'workspace.yaml');
    this.#agents(ownProperty(root, 'agents'));
    check(!isMapping(ownProperty(root, 'tool_registry')), 'workspace_tool_registry_unsupported', 'tool_registry');
    const servers = this.#registry(ownProperty(root, 'mcp_registry'));
    this.#applications(ownProperty(root, 'applications'));
    return servers;
  }

  #agents(agents: unknown): void {
    const code = 'workspace_general_missing';
    check(isMapping(agents), code, 'agents');
    check(Object.hasOwn(agents, 'id') && Object.hasOwn(agents, 'model'), code, 'agents');
    check(!blank(agents.id), code, 'agents.id');
    check(!blank(agents.model), code, 'agents.model');
    check(!Object.hasOwn(agents, 'prompt'), 'workspace_prompt_inline_not_allowed', 'agents.prompt');
    for (const field of ['role', 'schema_id', 'schema_module_path']) {
      const value = ownProperty(agents, field) ?? null;
      check(value === null || !blank(value), code, `agents.${field}`);
    }
    const schemas = [ownProperty(agents, 'schema_id'), ownProperty(agents, 'schema_module_path')].filter(
      (each) => each != null,
    );
    check(schemas.length < 2, 'workspace_schema_field_conflict', 'agents');
  }

  #registry(registry: unknown): readonly string[] {
    const code = 'workspace_mcp_registry_missing';
    check(isMapping(registry), code, 'mcp_registry');
    const allowlist = ownProperty(registry, 'allowlist') ?? {};
    check(isMapping(allowlist), code, 'mcp_registry.allowlist');
    const ids = this.#toolIds(ownProperty(allowlist, 'tool_ids'));
    const declared = ownProperty(registry, 'servers');
    check(isMapping(declared), code, 'mcp_registry.servers');
    const servers = this.#servers(declared);
    const catalog = this.#catalog(ownProperty(registry, 'catalog') ?? {});
    ids.forEach((id, i) => {
      const server = servers.get(id.split('.')[0] as string);
      check(server?.enabled === true, 'workspace_mcp_server_unknown', `mcp_registry.allowlist.tool_ids[${i}]`);
    });
    ids.forEach((id, i) => {
      const missing = id.startsWith('workspace.') && !catalog.has(id);
      check(!missing, 'workspace_mcp_catalog_missing', `mcp_registry.allowlist.tool_ids[${i}]`);
    });
    return this.#resolved(ids, servers, catalog);
  }

  #resolved(
    ids: readonly string[],
    servers: ReadonlyMap<string, Server>,
    catalog: ReadonlySet<string>,
  ): readonly string[] {
    const named = [...new Set(ids.map((id) => id.split('.')[0] as string))];
    const others = [...servers].flatMap(([id, server]) => (server.enabled && id !== 'workspace' ? [id] : []));
    if (ids.length > 0) return [...named, ...others.filter((id) => !named.includes(id))];
    const hasWorkspaceServer = catalog.size > 0 && servers.get('workspace')?.enabled === true;
    return hasWorkspaceServer ? [...others, 'workspace'] : others;
  }

  #toolIds(ids: unknown): readonly string[] {
    const code = 'workspace_mcp_tool_id_invalid';
    const path = 'mcp_registry.allowlist.tool_ids';
    if (ids === undefined || ids === null) return [];
    check(Array.isArray(ids), code, path);
    const seen = new Set<string>();
    for (const [i, id] of (ids as unknown[]).entries()) {
      check(!blank(id) && TOOL_ID.test((id as string).trim()), code, `${path}[${i}]`);
      check(!seen.has((id as string).trim()), code, `${path}[${i}]`);
      seen.add((id as string).trim());
    }
    return [...seen];
  }

  #servers(declared: Mapping): ReadonlyMap<string, Server> {
    const servers: Record<string, Server> = Object.create(null) as Record<string, Server>;
    for (const [key, entry] of Object.entries(declared)) {
      const id = key.trim();
      if (id !== '') servers[id] = this.#server(id, `mcp_registry.servers.${id}`, entry);
    }
    const local = servers.workspace?.type ?? 'local';
    check(local === 'local', 'workspace_mcp_server_unknown', 'mcp_registry.servers.workspace.type');
    return new Map([
      ...Object.entries({ ...servers }),
      ['workspace', servers.workspace ?? { type: 'local', enabled: true }],
    ]);
  }

  #server(id: string, path: string, entry: unknown): Server {
    const code = 'workspace_mcp_server_unknown';
    check(isMapping(entry), code, path);
    const raw = ownProperty(entry, 'type');
    const type = typeof raw === 'string' ? raw.trim() : '';
    check(type === 'local' || type === 'remote', code, `${path}.type`);
    const timeout = ownProperty(entry, 'timeout_ms') ?? 1;
    check(Number.isInteger(timeout) && (timeout as number) > 0, code, `${path}.timeout_ms`);
    for (const field of ['headers', 'environment']) {
      const values = ownProperty(entry, field) ?? {};
      check(isMapping(values), code, `${path}.${field}`);
      for (const [key, value] of Object.entries(values)) {
        check(key.trim() === '' || typeof value === 'string', code, `${path}.${field}.${key}`);
      }
    }
    if (type === 'local') this.#command(id, path, ownProperty(entry, 'command'));
    else check(!blank(ownProperty(entry, 'url')), code, `${path}.url`);
    const enabled = ownProperty(entry, 'enabled');
    return { type, enabled: enabled === undefined || Boolean(enabled) };
  }

  #command(id: string, path: string, command: unknown): void {
    const code = 'workspace_mcp_server_unknown';
    if (id === 'workspace' && (command ?? null) === null) return;
    check(Array.isArray(command) && (command.length > 0 || id === 'workspace'), code, `${path}.command`);
    for (const [i, token] of (command as unknown[]).entries()) {
      check(!blank(token) || (token === '' && i > 0), code, `${path}.command[${i}]`);
    }
  }

  #catalog(catalog: unknown): ReadonlySet<string> {
    const code = 'workspace_mcp_catalog_entry_invalid';
    const path = 'mcp_registry.catalog';
    check(isMapping(catalog), code, path);
    const tools = new Set<string>();
    for (const [key, entry] of Object.entries(catalog)) {
      if (key.trim() === '') continue;
      check(isMapping(entry), code, `${path}.${key}`);
      check(!blank(ownProperty(entry, 'module_path')), code, `${path}.${key}.module_path`);
      check(!blank(ownProperty(entry, 'symbol')), code, `${path}.${key}.symbol`);
      if (TOOL_ID.test(key.trim()) && key.trim().startsWith('workspace.')) tools.add(key.trim());
    }
    return tools;
  }

  #applications(list: unknown): void {
    if (!list) return;
    check(Array.isArray(list), 'workspace_config_invalid_yaml', 'applications');
    const ids = new Set<string>();
    for (const [i, entry] of (list as unknown[]).entries()) {
      check(isMapping(entry), 'workspace_config_invalid_yaml', `applications[${i}]`);
      const id = asText(ownProperty(entry, 'app_id'));
      check(!ids.has(id), 'app_duplicate_id', `applications[${i}].app_id`);
      ids.add(id);
      const config = asText(ownProperty(entry, 'config_path'));
      const found = !blank(config) && Object.hasOwn(this.#references, config);
      check(found, 'app_config_not_found', `applications[${i}].config_path`);
      this.#manifest(config, id);
    }
  }

  #manifest(config: string, id: string): void {
    const code = 'app_config_invalid_yaml';
    const manifest = parse(this.#references[config] as string, code, config);
    check(asText(ownProperty(manifest, 'app_id')) === id, 'app_id_mismatch', config);
    const mcp = ownProperty(manifest, 'mcp');
    const port = isMapping(mcp) ? (ownProperty(mcp, 'port') ?? Number.NaN) : Number.NaN;
    check(!Number.isNaN(Number(port)), 'app_mcp_port_missing', `${config}:mcp.port`);
    const single = ownProperty(manifest, 'integration') ?? null;
    const list = ownProperty(manifest, 'integrations');
    check(single === null || !Array.isArray(list) || list.length === 0, code, config);
    for (const entry of single === null ? (Array.isArray(list) ? (list as unknown[]) : []) : [single]) {
      if (!isMapping(entry) || (blank(ownProperty(entry, 'provider')) && blank(ownProperty(entry, 'destination'))))
        continue;
      const source = ownProperty(entry, 'credential_source') ?? ownProperty(entry, 'credentialSource') ?? 'platform';
      const known =
        typeof source === 'string' && ['platform', 'manual', 'broker'].includes(source.trim().toLowerCase());
      check(known, code, config);
    }
  }
}
