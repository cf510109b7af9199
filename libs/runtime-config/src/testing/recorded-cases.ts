import { collectReferences, compileWorkspace } from '@reins/workspace-plan';
import { encodeWorkspaceCatalog, workspaceCatalogFingerprint } from '../mcp/catalog.ts';
import { mergeMcpServerPayloads } from '../mcp/merge.ts';
import {
  effectiveMcpServerPayloads,
  type McpServerPayload,
  type McpSidecar,
  mcpServerPayloads,
  resolveFromEnvironment,
} from '../mcp/payloads.ts';
import { mcpServerIdMap, mcpServerMappingMetadata, type ServerIdMap, workspacePhysicalId } from '../mcp/server-ids.ts';
import type { McpPlan } from '../plan.ts';
import { referencePath } from '../references/reference-path.ts';

/** The files of a recorded workspace. */
export interface RecordedFiles {
  readonly files?: Readonly<Record<string, string>>;
  readonly extra_files?: readonly (readonly [string, string])[];
  readonly files_base64?: Readonly<Record<string, string>>;
  readonly symlinks?: Readonly<Record<string, string>>;
}

interface RecordedInput extends RecordedFiles {
  readonly op: string;
  readonly workspace_id: string;
  readonly sandbox_id: string;
  readonly workspace_yaml: string;
  readonly references: Readonly<Record<string, string>>;
  readonly plan: McpPlan;
  readonly server_id_map: ServerIdMap | null;
  readonly env: Readonly<Record<string, string>>;
  readonly sidecar: McpSidecar | null;
  readonly app_payloads: readonly McpServerPayload[];
  readonly base: readonly McpServerPayload[];
  readonly override: readonly McpServerPayload[];
}

/** One recorded result of the legacy system. */
export interface RecordedCase {
  readonly id: string;
  readonly input: RecordedInput;
  readonly observed: {
    readonly ok?: boolean;
    readonly error?: { readonly code?: string; readonly message: string };
    readonly crash?: string;
  };
  /** Set when the recorded behaviour is a defect that need not be reproduced. */
  readonly defect?: string;
}

/** Runs the operation of a recorded case and returns its result. */
export function runRecordedCase(input: RecordedInput): Record<string, unknown> {
  const operation = OPERATIONS[input.op];
  if (operation === undefined) throw new TypeError(`no such operation: ${input.op}`);
  return operation(input);
}

const OPERATIONS: Readonly<Record<string, (input: RecordedInput) => Record<string, unknown>>> = {
  mcp_server_payloads: ({ plan, server_id_map, env }) => ({
    payloads: mcpServerPayloads(plan, server_id_map, resolveFromEnvironment(env)),
  }),
  workspace_physical_id: ({ workspace_id, sandbox_id }) => ({
    physical_id: workspacePhysicalId(workspace_id, sandbox_id),
  }),
  mcp_server_id_map: ({ plan, workspace_id, sandbox_id }) => ({
    server_id_map: mcpServerIdMap(plan, workspace_id, sandbox_id),
  }),
  mcp_server_mapping_metadata: ({ server_id_map }) => ({ metadata: mcpServerMappingMetadata(server_id_map ?? {}) }),
  effective_mcp_server_payloads: ({ plan, sidecar, server_id_map, env }) => ({
    payloads: effectiveMcpServerPayloads(plan, sidecar, server_id_map, resolveFromEnvironment(env)),
  }),
  merge_mcp_server_payloads: ({ base, override }) => ({ payloads: mergeMcpServerPayloads(base, override) }),
  workspace_catalog_fingerprint: ({ plan }) => ({ fingerprint: workspaceCatalogFingerprint(plan) }),
  encode_workspace_catalog: ({ plan }) => ({ catalog_base64: encodeWorkspaceCatalog(plan.workspace_mcp_catalog) }),
  read_references: (input) => ({ references: readReferences(input).references }),
  compile_from_workspace: (input) => {
    const { yaml, references } = readReferences(input);
    return { plan: compiled(input.workspace_id, yaml, references) };
  },
  prepare_from_yaml: (input) => ({ prepared: prepared(input) }),
};

function prepared(input: RecordedInput): Record<string, unknown> {
  const plan = compiled(input.workspace_id, input.workspace_yaml, input.references);
  const map = mcpServerIdMap(plan, input.workspace_id, input.sandbox_id);
  const payloads = effectiveMcpServerPayloads(plan, input.sidecar, map, resolveFromEnvironment(input.env));
  const apps = input.app_payloads ?? [];
  return {
    server_id_map: map,
    mapping_metadata: mcpServerMappingMetadata(map),
    payloads: apps.length > 0 ? mergeMcpServerPayloads(payloads, apps) : payloads,
    catalog_fingerprint: workspaceCatalogFingerprint(plan),
    catalog_base64: encodeWorkspaceCatalog(plan.workspace_mcp_catalog),
    mcp_tool_allowlist: plan.mcp_tool_allowlist,
  };
}

function compiled(workspaceId: string, workspaceYaml: string, references: Readonly<Record<string, string>>) {
  const result = compileWorkspace({ workspaceId, workspaceYaml, references });
  if (!result.ok) throw Object.assign(new Error(result.error.message), { code: result.error.code });
  return result.plan;
}

/** A workspace in memory: its text and its existing references. The compiler reports missing ones. */
function readReferences(input: RecordedFiles): { yaml: string; references: Record<string, string> } {
  const files = new Map(Object.entries(input.files ?? {}));
  for (const [path, text] of input.extra_files ?? []) files.set(path, text);
  for (const [path, bytes] of Object.entries(input.files_base64 ?? {})) {
    files.set(path, new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.from(bytes, 'base64')));
  }
  const links = new Map(Object.entries(input.symlinks ?? {}));
  const yaml = files.get('workspace.yaml') ?? '';
  const references = collectReferences(yaml).flatMap((path) => {
    const text = files.get(follow(referencePath(path), links));
    return text === undefined ? [] : [[path, text] as const];
  });
  return { yaml, references: Object.fromEntries(references) };
}

function follow(path: string, links: ReadonlyMap<string, string>): string {
  let at = path;
  for (const seen = new Set<string>(); links.has(at) && !seen.has(at); at = links.get(at) ?? at) seen.add(at);
  return at;
}
