import { canonicalHash, memoizedHash } from '../canonical.ts';
import type { CapabilityManifest } from '../capability/types.ts';
import type { McpServerPayload } from '../mcp/payloads.ts';
import { WORKSPACE_SERVER_ID } from '../mcp/server-ids.ts';
import type { ModelClient } from '../model/client.ts';
import type { PromptCacheProfile } from '../prompt/cache-profile.ts';
import type { HostRequest } from './host-request.ts';

/** A request before it knows its own fingerprint. */
export type HostRequestBody = Omit<HostRequest, 'run_started_payload'>;

/** What a fingerprint needs beside the request. */
export interface FingerprintParts {
  readonly profile: PromptCacheProfile;
  readonly manifest: CapabilityManifest;
  /** Every connected server under both of its names. */
  readonly servers: readonly { readonly logical: string; readonly physical: string }[];
}

/**
 * The fingerprint of what a request asks for: equal for equal configuration, contexts and words, on any machine. Ids of workspace,
 * session, input and run, the tree, the folder and physical server ids are no part of it, nor is any time.
 */
export function requestFingerprint(request: HostRequestBody, parts: FingerprintParts): string {
  const logical = new Map(parts.servers.map((server) => [server.physical, server.logical]));
  return canonicalHash({
    schema_version: 1,
    stage: request.stage,
    iteration: request.iteration,
    runtime_id: request.runtime_id,
    session_kind: request.session_kind,
    instruction: request.instruction,
    prompt: parts.profile.sections.map(({ id, channel, sha256 }) => [id, channel, sha256]),
    attachments: request.attachments.map(({ id, ...attachment }) => attachment),
    thinking_value: request.thinking_value,
    provider_id: request.provider_id,
    model_id: request.model_id,
    model_client: request.model_client === null ? null : clientProjection(request.model_client),
    timeout_seconds: request.timeout_seconds,
    browser: [request.browser_tools_enabled, request.browser_space],
    capabilities: parts.manifest.fingerprint,
    gated_tools: request.gated_tools,
    ...(request.granted_tools.length > 0 && { granted_tools: request.granted_tools }),
    ...(request.required_servers.length > 0 && { required_servers: request.required_servers }),
    quoted_skill_ids: request.quoted_skill_ids,
    workspace_skill_dirs: request.workspace_skill_dirs,
    mcp_servers: request.mcp_servers.map((server) => serverProjection(server, logical)),
    mcp_tools: request.mcp_tool_refs.map((ref) => ref.tool_id),
    workspace_tools: request.workspace_tools?.fingerprint ?? null,
    applications: request.applications.map(memoizedHash),
    output_schema: request.output_format === null ? null : memoizedHash(request.output_format.schema),
    output_module: request.output_schema_module,
    output_retries: request.output_format?.retryCount ?? null,
    artifact_globs: request.artifact_globs,
    workspace_boundary_override: request.workspace_boundary_override,
    workspace_config_checksum: request.workspace_config_checksum,
  });
}

/** The workspace's own server is reached wherever its sidecar happens to listen; only what it serves is configuration. */
function serverProjection(server: McpServerPayload, logical: ReadonlyMap<string, string>): unknown {
  const id = logical.get(server.name) ?? server.name;
  return id === WORKSPACE_SERVER_ID ? [id, server.config.timeout] : [id, configHash(server.config)];
}

function configHash(config: McpServerPayload['config']): string {
  const headers = config.type === 'remote' ? Object.entries(config.headers) : [];
  if (!headers.some(([name]) => tellsCaller(name))) return memoizedHash(config);
  return canonicalHash({ ...config, headers: headers.map(withoutCaller) });
}

/** Such headers tell a server who calls; what they are called is configuration, what they say is not. */
function tellsCaller(name: string): boolean {
  const lower = name.toLowerCase();
  return lower.startsWith('x-holaboss-') || lower === 'x-workspace-id';
}

function withoutCaller([name, value]: readonly [string, string]): readonly string[] {
  return tellsCaller(name) ? [name] : [name, value];
}

function clientProjection(client: ModelClient): unknown {
  const headers = Object.entries(client.default_headers ?? {}).map(withoutCaller);
  return [client.model_proxy_provider, client.api_key, client.base_url, headers];
}
