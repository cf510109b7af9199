import { canonicalHash } from '../canonical.ts';
import type { CapabilityManifest } from '../capability/types.ts';
import type { McpServerPayload } from '../mcp/payloads.ts';
import type { ModelClient } from '../model/client.ts';
import type { PromptCacheProfile } from '../prompt/cache-profile.ts';
import type { HostRequest } from './host-request.ts';

/** A request before it knows its own fingerprint. */
export type UnmarkedHostRequest = Omit<HostRequest, 'run_started_payload'>;

/**
 * The fingerprint of what a request asks for: equal for equal configuration, contexts and words, on any machine. Ids of workspace,
 * session, input and run, the tree, the folder and physical server ids are no part of it, nor is any time.
 */
export function requestFingerprint(
  request: UnmarkedHostRequest,
  profile: PromptCacheProfile,
  manifest: CapabilityManifest,
): string {
  const logical = logicalNames(request);
  return canonicalHash({
    schema_version: 1,
    stage: request.stage,
    iteration: request.iteration,
    runtime_id: request.runtime_id,
    session_kind: request.session_kind,
    instruction: request.instruction,
    prompt: profile.sections.map(({ id, channel, sha256 }) => [id, channel, sha256]),
    attachments: request.attachments.map(({ kind, name, mime_type, size_bytes, workspace_path }) => [
      kind,
      name,
      mime_type,
      size_bytes,
      workspace_path,
    ]),
    thinking_value: request.thinking_value,
    provider_id: request.provider_id,
    model_id: request.model_id,
    model_client: request.model_client === null ? null : clientProjection(request.model_client),
    timeout_seconds: request.timeout_seconds,
    browser: [request.browser_tools_enabled, request.browser_space],
    capabilities: manifest.fingerprint,
    gated_tools: request.gated_tools,
    workspace_skill_dirs: request.workspace_skill_dirs,
    mcp_servers: request.mcp_servers.map((server) => serverProjection(server, logical)),
    mcp_tools: request.mcp_tool_refs.map((ref) => ref.tool_id),
    workspace_tools: request.workspace_tools?.fingerprint ?? null,
    applications: request.applications,
    output: [request.output_schema_member_id, request.output_format],
    workspace_boundary_override: request.workspace_boundary_override,
    workspace_config_checksum: request.workspace_config_checksum,
  });
}

function logicalNames(request: UnmarkedHostRequest): ReadonlyMap<string, string> {
  const physical = request.workspace_tools?.physical_server_id;
  return physical === undefined ? new Map() : new Map([[physical, 'workspace']]);
}

function serverProjection(server: McpServerPayload, logical: ReadonlyMap<string, string>): unknown {
  return [logical.get(server.name) ?? server.name, server.config];
}

/** A proxy's headers tell it who calls; what they are called is configuration, what they say is not. */
function clientProjection(client: ModelClient): unknown {
  const headers = Object.entries(client.default_headers ?? {}).map(([name, value]) =>
    name.toLowerCase().startsWith('x-holaboss-') ? [name] : [name, value],
  );
  return [client.model_proxy_provider, client.api_key, client.base_url, headers];
}
