import { type CompileResult, compileWorkspace, type Diagnostic, type Refused } from '../index.ts';

/** The agent of all test workspaces. */
export const AGENT = 'agents:\n  id: workspace.general\n  model: gpt-4o\n';
export const EMPTY_REGISTRY = 'mcp_registry:\n  servers: {}\n';

export function compile(workspaceYaml: string, references: Record<string, string> = {}): CompileResult {
  return compileWorkspace({ workspaceId: 'ws', workspaceYaml, references });
}

/** Returns the plan, or throws with the diagnostics. */
export function planOf(result: CompileResult) {
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics, null, 2));
  return result.plan;
}

export function refusalOf(result: CompileResult): Refused {
  if (result.ok) throw new Error('the workspace compiled without an error');
  return result;
}

/** A workspace with these servers, which are YAML under `servers:`. */
export function withServers(servers: string, allowlist?: readonly string[]): string {
  const allowed = allowlist ? `  allowlist:\n    tool_ids: ${JSON.stringify(allowlist)}\n` : '';
  const declared = servers === '' ? '  servers: {}' : `  servers:\n${servers.replace(/^/gm, '    ')}`;
  return `${AGENT}mcp_registry:\n${allowed}${declared}\n`;
}

/** A workspace with one server `g` with these fields. */
export function withServer(fields: string): string {
  return withServers(`g:\n${fields.replace(/^/gm, '  ')}`);
}

/** Compiles a workspace with one application, which has this manifest. */
export function compileManifest(manifest: string): CompileResult {
  const applications = 'applications:\n  - app_id: a\n    config_path: apps/a/app.runtime.yaml\n';
  return compile(AGENT + EMPTY_REGISTRY + applications, { 'apps/a/app.runtime.yaml': manifest });
}

export function codesOf(result: CompileResult, severity?: Diagnostic['severity']): readonly string[] {
  return result.diagnostics.filter((each) => !severity || each.severity === severity).map((each) => each.code);
}
