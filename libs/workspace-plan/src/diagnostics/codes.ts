import type { ErrorCode } from '@reins/contracts';

/**
 * Where our code is more precise than the one that migrating installations know: ours → theirs. The `error` of a refusal
 * always speaks theirs, a diagnostic gives both.
 */
const ALIASES = {
  workspace_shape_invalid: 'workspace_config_invalid_yaml',
  workspace_input_too_large: 'workspace_config_invalid_yaml',
  workspace_yaml_unsafe: 'workspace_config_invalid_yaml',
  workspace_field_invalid: 'workspace_config_invalid_yaml',
  workspace_agent_field_invalid: 'workspace_general_missing',
  workspace_schema_alias_invalid: 'workspace_config_invalid_yaml',
  workspace_mcp_server_invalid: 'workspace_mcp_server_unknown',
  workspace_mcp_server_disabled: 'workspace_mcp_server_unknown',
  workspace_path_escapes: 'app_config_not_found',
  app_id_invalid: 'app_id_mismatch',
  app_manifest_field_invalid: 'app_config_invalid_yaml',
  app_integration_invalid: 'app_config_invalid_yaml',
  app_mcp_port_invalid: 'app_mcp_port_missing',
} as const satisfies Partial<Record<ErrorCode, ErrorCode>>;

const aliases: Partial<Record<ErrorCode, ErrorCode>> = ALIASES;

/** The code of the interface for one of ours. */
export function aliasOf(code: ErrorCode): ErrorCode | undefined {
  return aliases[code];
}
