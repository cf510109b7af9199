import { canonicalHash, memoizedHash } from '../canonical.ts';
import { callablePrefix } from '../capability/callable-names.ts';
import type { CapabilityManifest } from '../capability/types.ts';
import type { McpServerPayload } from '../mcp/payloads.ts';
import { WORKSPACE_SERVER_ID } from '../mcp/server-ids.ts';
import type { ModelClient } from '../model/client.ts';
import type { PromptCacheProfile } from '../prompt/cache-profile.ts';
import type { HostRequest } from './host-request.ts';

/** A host request without the payload that contains its own fingerprint. */
export type HostRequestBody = Omit<HostRequest, 'run_started_payload'>;

/** Further inputs of a fingerprint. */
export interface FingerprintParts {
  readonly profile: PromptCacheProfile;
  readonly manifest: CapabilityManifest;
  /** Every connected server with its logical and physical id. */
  readonly servers: readonly { readonly logical: string; readonly physical: string }[];
}

/**
 * The fingerprint of a request. It is equal on any machine for equal configuration, contexts and instruction. It does
 * not include the ids of workspace, session, input and run, the tree, the folder, physical server ids or times.
 */
export function requestFingerprint(request: HostRequestBody, parts: FingerprintParts): string {
  const logical = new Map(parts.servers.map((server) => [server.physical, server.logical]));
  return canonicalHash({
    schema_version: 1,
    stage: request.stage,
    iteration: request.iteration,
    runtime_id: request.runtime_id,
    session_kind: request.session_kind,
    instruction: withLogicalNames(request.instruction, parts),
    prompt: parts.profile.sections
      .filter(({ id }) => id !== CAPABILITY_SECTION)
      .map(({ id, channel, sha256 }) => [id, channel, sha256]),
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

/** Its text follows from capabilities and gated tools, but names tools by physical server ids. */
const CAPABILITY_SECTION = 'capability_policy';

/** A text with the names of tools as they would be if every server had its logical id. */
function withLogicalNames(text: string, { servers }: FingerprintParts): string {
  return servers
    .filter(({ logical, physical }) => logical !== physical)
    .reduce((out, { logical, physical }) => out.replaceAll(callablePrefix(physical), callablePrefix(logical)), text);
}

/** The address of the sidecar for the workspace's own server may vary, so only its timeout is included. */
function serverProjection(server: McpServerPayload, logical: ReadonlyMap<string, string>): unknown {
  const id = logical.get(server.name) ?? server.name;
  return id === WORKSPACE_SERVER_ID ? [id, server.config.timeout] : [id, configHash(server.config)];
}

function configHash(config: McpServerPayload['config']): string {
  const headers = config.type === 'remote' ? Object.entries(config.headers) : [];
  if (!headers.some(([name]) => identifiesCaller(name))) return memoizedHash(config);
  return canonicalHash({ ...config, headers: headers.map(withoutCaller) });
}

/** Headers that identify the caller. Their names are part of the configuration, but their values are not. */
function identifiesCaller(name: string): boolean {
  const lower = name.toLowerCase();
  return lower.startsWith('x-holaboss-') || lower === 'x-workspace-id';
}

function withoutCaller([name, value]: readonly [string, string]): readonly string[] {
  return identifiesCaller(name) ? [name] : [name, value];
}

function clientProjection(client: ModelClient): unknown {
  const headers = Object.entries(client.default_headers ?? {}).map(withoutCaller);
  return [client.model_proxy_provider, client.api_key, client.base_url, headers];
}
