import { nearest } from '@reins/contracts';
import type { Scope } from '../compile/scope.ts';
import { WORKSPACE_SERVER } from '../compile/servers.ts';
import type { Path } from '../compile/values.ts';
import { didYouMean } from '../diagnostics/suggest.ts';
import { declaredServers, declaredTools } from './declared.ts';

/**
 * Warns about gated tools that do not exist: the tool that the author meant is then not gated. The tools of declared
 * servers are known only when a run starts, and runtime tools are named without a server. Neither is checked.
 */
export function checkGatedTools(scope: Scope, gated: readonly string[]): void {
  if (gated.length === 0) return;
  const gates = new Gates(scope);
  for (const [index, gate] of gated.entries()) gates.check(gate, ['gated_tools', index]);
}

class Gates {
  readonly #scope: Scope;
  readonly #servers: ReadonlySet<string>;
  readonly #tools: ReadonlySet<string>;
  /** The tools of the workspace catalog. */
  readonly #catalog: ReadonlySet<string>;
  /** Tool name without its server → tool id. */
  readonly #byName: ReadonlyMap<string, string>;

  constructor(scope: Scope) {
    this.#scope = scope;
    this.#servers = declaredServers(scope.root);
    this.#tools = declaredTools(scope.root);
    this.#catalog = new Set([...this.#tools].filter((tool) => tool.startsWith(`${WORKSPACE_SERVER}.`)));
    this.#byName = new Map([...this.#tools].map((tool) => [tool.slice(tool.indexOf('.') + 1), tool]));
  }

  check(gate: string, at: Path): void {
    const [server = '', tool] = gate.split('.');
    if (tool === undefined) this.#checkRuntimeTool(gate, at);
    else if (server === WORKSPACE_SERVER) this.#checkCatalogTool(gate, tool, at);
    else if (!this.#servers.has(server)) this.#checkUnknownServer(gate, server, tool, at);
  }

  /** A name without a server is a runtime tool. Warns when the workspace has a server or tool of that name. */
  #checkRuntimeTool(gate: string, at: Path): void {
    const meant = this.#servers.has(gate) ? `${gate}.*` : this.#byName.get(gate);
    if (meant === undefined) return;
    this.#scope.report.warn({
      code: 'workspace_value_ignored',
      at,
      message: `'${gate}' gates the runtime tool of that name, not '${meant}'`,
      specificHint: `did you mean '${meant}'?`,
    });
  }

  #checkCatalogTool(gate: string, tool: string, at: Path): void {
    if (tool === '*' ? this.#catalog.size > 0 : this.#catalog.has(gate)) return;
    this.#scope.report.warn({
      code: 'workspace_mcp_catalog_missing',
      at,
      message: `'${gate}' gates nothing: mcp_registry.catalog has no such tool`,
      specificHint: didYouMean(gate, () => this.#catalog, 'add the tool to mcp_registry.catalog, or correct the name'),
    });
  }

  #checkUnknownServer(gate: string, server: string, tool: string, at: Path): void {
    this.#scope.report.warn({
      code: 'workspace_mcp_server_unknown',
      at,
      message: `'${gate}' gates nothing: there is no server or application '${server}'`,
      specificHint: () => {
        const near = nearest(server, this.#servers);
        const meant = near === undefined ? nearest(gate, this.#tools) : `${near}.${tool}`;
        return meant === undefined ? 'correct the name, or declare the server' : `did you mean '${meant}'?`;
      },
    });
  }
}
