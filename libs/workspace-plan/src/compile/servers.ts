import type { McpServerType, ResolvedMcpServer, ServerPackage } from '../plan.ts';
import { DEFAULT_TIMEOUT_MS, SERVER_ID_PATTERN } from '../schema/patterns.ts';
import type { Scope } from './scope.ts';
import { ServerFields } from './server-fields.ts';
import { PACKAGE_FIELDS, readPackage } from './server-package.ts';
import { isAbsent, isMapping, type Mapping, ownProperty, type Path, record } from './values.ts';

export const WORKSPACE_SERVER = 'workspace';
const SERVERS: Path = ['mcp_registry', 'servers'];
const ALLOWLISTABLE = new RegExp(SERVER_ID_PATTERN);

/**
 * A declared server. `config` is undefined when the declaration is invalid; no further conclusions are drawn from it
 * then.
 */
export interface DeclaredServer {
  readonly type: McpServerType | undefined;
  readonly enabled: boolean;
  readonly config: ResolvedMcpServer | undefined;
  readonly package?: ServerPackage | undefined;
  readonly isShared?: boolean;
}

export type Servers = Readonly<Record<string, DeclaredServer>>;

/** The server that runs the workspace's own tools. It exists without a declaration. */
export const IMPLICIT_WORKSPACE_SERVER: ResolvedMcpServer = {
  server_id: WORKSPACE_SERVER,
  type: 'local',
  command: [],
  url: null,
  headers: [],
  environment: [],
  timeout_ms: DEFAULT_TIMEOUT_MS,
};

/** Reads `servers`. Ids are trimmed, and a later server replaces an earlier one of the same name. */
export function readServers(scope: Scope, declared: Mapping): Servers {
  const servers = record<DeclaredServer>();
  for (const [key, definition] of Object.entries(declared)) {
    const id = key.trim();
    checkId(scope, key, id);
    if (id === '') continue;
    if (servers[id]) {
      scope.report.warn({
        code: 'workspace_key_collision',
        at: [...SERVERS, key],
        pointsAtKey: true,
        message: `this server replaces another server named '${id}'`,
      });
    }
    servers[id] = readServer(scope, key, id, definition);
  }
  checkWorkspaceServer(scope, declared, servers);
  return servers;
}

/** Checks the name only. The declaration is still read, because it may have more errors. */
function checkId(scope: Scope, key: string, id: string): void {
  const refuse = (message: string): void =>
    scope.report.strictError({
      code: 'workspace_mcp_server_invalid',
      at: [...SERVERS, key],
      pointsAtKey: true,
      message,
    });
  if (id === '') refuse('the name of a server must not be empty');
  else if (id === '__proto__') refuse(`'${id}' cannot be the name of a server`);
  else if (id.includes('[object Object]')) refuse('the name of a server must be a string (got a collection)');
  else warnAboutId(scope, key, id);
}

function warnAboutId(scope: Scope, key: string, id: string): void {
  const at = [...SERVERS, key];
  if (!ALLOWLISTABLE.test(id)) {
    scope.report.warn({
      code: 'workspace_mcp_server_invalid',
      at,
      pointsAtKey: true,
      message: `the tools of server '${id}' cannot be allowlisted, because its name has other characters`,
      specificHint: 'use only letters, digits, _ and -',
    });
  }
  // a number may be written differently in the file: 010, 0x10, 1.50
  if (!Number.isNaN(Number(id))) {
    const spelling = scope.report.spelling(at);
    if (spelling !== undefined && /^[+\-.\w]+$/.test(spelling) && spelling !== key) {
      scope.report.warn({
        code: 'workspace_value_coerced',
        at,
        pointsAtKey: true,
        message: `the name ${spelling} is a number and was interpreted as '${key}'`,
        specificHint: `quote it: "${spelling}"`,
      });
    }
  }
}

/** The order in which the fields are read determines which error is reported first. */
function readServer(scope: Scope, key: string, id: string, definition: unknown): DeclaredServer {
  const fields = new ServerFields(scope.report, key, id);
  if (!isMapping(definition)) {
    fields.invalid([], 'server definition must be an object', 'write a mapping with `type` and `command` or `url`');
    return { type: undefined, enabled: true, config: undefined };
  }
  const type = fields.type(ownProperty(definition, 'type'));
  const enabled = fields.enabled(definition);
  const timeout = fields.timeout(ownProperty(definition, 'timeout_ms'));
  const headers = fields.pairs(ownProperty(definition, 'headers'), 'headers');
  const environment = fields.pairs(ownProperty(definition, 'environment'), 'environment');
  const isWorkspace = id === WORKSPACE_SERVER;
  const ofPackage = type === 'local' ? readPackage(fields, definition) : undefined;
  const hasPackage = PACKAGE_FIELDS.some((key) => !isAbsent(ownProperty(definition, key)));
  const declared =
    type === 'local' ? fields.command(ownProperty(definition, 'command'), isWorkspace || hasPackage) : [];
  const command = isWorkspace ? [] : declared;
  const url = type === 'remote' ? fields.url(ownProperty(definition, 'url')) : null;
  const isShared = fields.isShared(ownProperty(definition, 'isolation')) && type === 'local';
  fields.warnUnused(type, definition);
  if (fields.broken || !type) return { type, enabled, config: undefined };
  return {
    type,
    enabled,
    config: { server_id: id, type, command, url, headers, environment, timeout_ms: timeout },
    package: ofPackage,
    isShared,
  };
}

/** Checked after all servers are read, so that their errors are reported first. */
function checkWorkspaceServer(scope: Scope, declared: Mapping, servers: Servers): void {
  const server = servers[WORKSPACE_SERVER];
  const key = Object.keys(declared).findLast((each) => each.trim() === WORKSPACE_SERVER) ?? WORKSPACE_SERVER;
  const fields = new ServerFields(scope.report, key, WORKSPACE_SERVER);
  const hint = 'use another name; this server runs the tools of the catalog';
  if (server?.type === 'remote') fields.invalid(['type'], 'workspace MCP server must be local', hint);
  if (server?.package)
    fields.strictError([server.package.registry], "the server 'workspace' cannot have a package", hint);
  if (server?.isShared)
    fields.strictError(['isolation'], "the server 'workspace' works in the tree and cannot be shared", hint);
}
