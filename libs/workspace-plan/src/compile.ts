import { checksumOf, sha256 } from './checksums.ts';
import { compileApplications } from './compile/applications.ts';
import { checkDocument } from './compile/document-checks.ts';
import { reportFailure } from './compile/failure.ts';
import { compileMcpRegistry } from './compile/mcp-registry.ts';
import { compileSchemaAliases } from './compile/schema-aliases.ts';
import type { Scope } from './compile/scope.ts';
import { compileAgents } from './compile/team.ts';
import { isMapping, kindOf } from './compile/values.ts';
import type { CompileError, Diagnostic } from './diagnostics/diagnostic.ts';
import { Findings } from './diagnostics/findings.ts';
import { inDocument } from './diagnostics/locator.ts';
import { Report } from './diagnostics/report.ts';
import { compileExtensions } from './extensions/compile-extensions.ts';
import type { CompiledWorkspaceRuntimePlan } from './plan.ts';
import { warnUnknownKeys } from './schema/unknown-keys.ts';
import { WORKSPACE } from './schema/workspace.ts';
import { readYaml } from './yaml/document.ts';

export const WORKSPACE_FILE = 'workspace.yaml';

export interface CompileInput {
  readonly workspaceId: string;
  readonly workspaceYaml: string;
  /** What `collectReferences` named, path → text. A file that the workspace does not have is absent here. */
  readonly references: Readonly<Record<string, string>>;
}

export type CompileResult =
  | {
      readonly ok: true;
      readonly plan: CompiledWorkspaceRuntimePlan;
      /** SHA-256 over every input: the key of a cache. */
      readonly inputs_checksum: string;
      readonly diagnostics: readonly Diagnostic[];
    }
  | {
      readonly ok: false;
      /** The first error, in the terms that migrating installations know. */
      readonly error: CompileError;
      readonly inputs_checksum: string;
      readonly diagnostics: readonly Diagnostic[];
    };

/** Compiles a workspace. Total: every input gives a plan or a refusal, and all that was found on the way. */
export function compileWorkspace(input: CompileInput): CompileResult {
  const findings = new Findings();
  const plan = compile(input, findings);
  const inputs_checksum = inputsChecksum(input);
  const { error, diagnostics } = findings;
  if (plan && !error) return { ok: true, plan, inputs_checksum, diagnostics };
  if (!error) throw new Error('a workspace without a plan has at least one error');
  return { ok: false, error, inputs_checksum, diagnostics };
}

/** The sum over everything that the plan depends on. */
export function inputsChecksum(input: CompileInput): string {
  const inputs = new Map([[`file:${WORKSPACE_FILE}`, input.workspaceYaml]]);
  inputs.set('workspace_id', input.workspaceId);
  for (const [path, text] of Object.entries(input.references)) inputs.set(`reference:${path}`, text);
  return checksumOf(inputs);
}

function compile(input: CompileInput, findings: Findings): CompiledWorkspaceRuntimePlan | undefined {
  const file = readYaml(input.workspaceYaml);
  if (!file.ok) {
    reportFailure(findings, WORKSPACE_FILE, file, 'workspace_config_invalid_yaml');
    return undefined;
  }
  const report = new Report(findings, inDocument(WORKSPACE_FILE, file.value));
  const root = file.value.value;
  if (!isMapping(root)) {
    report.error({
      code: 'workspace_shape_invalid',
      at: [],
      shown: WORKSPACE_FILE,
      message: 'workspace.yaml must parse to a mapping object',
      advice: `it is ${kindOf(root)}; it needs at least 'agents' and 'mcp_registry'`,
    });
    return undefined;
  }
  const scope: Scope = { root, report, references: input.references };
  const plan = compileScope(scope, input.workspaceId, () => sha256(input.workspaceYaml));
  checkDocument(findings, WORKSPACE_FILE, file.value);
  return plan;
}

/** Compiles a workspace in the form of workspace.yaml, wherever its parts were written. */
function compileScope(
  scope: Scope,
  workspaceId: string,
  checksum: () => string,
): CompiledWorkspaceRuntimePlan | undefined {
  const agents = compileAgents(scope);
  const mcp = compileMcpRegistry(scope);
  const aliases = compileSchemaAliases(scope);
  const applications = compileApplications(scope);
  const extensions = compileExtensions(scope);
  warnUnknownKeys(scope.report, scope.root, WORKSPACE);
  if (!agents || !mcp || scope.report.findings.failed) return undefined;
  const { coordinator, members } = agents;
  return {
    workspace_id: workspaceId,
    mode: members ? 'team' : 'single',
    general_config: members ? { type: 'team', coordinator, members } : { type: 'single', agent: coordinator },
    schema_aliases: { ...aliases },
    resolved_prompts: Object.fromEntries([coordinator, ...(members ?? [])].map(({ id, prompt }) => [id, prompt])),
    resolved_mcp_servers: mcp.servers,
    resolved_mcp_tool_refs: mcp.toolRefs,
    workspace_mcp_catalog: mcp.catalog,
    config_checksum: checksum(),
    resolved_applications: applications,
    mcp_tool_allowlist: mcp.toolRefs.map((tool) => tool.tool_id),
    ...(extensions && { extensions }),
  };
}
