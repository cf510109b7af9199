import type { ErrorCode } from '@reins/contracts';

interface CodeEntry {
  /** The less specific code of the legacy system for the same error. */
  readonly alias?: ErrorCode;
  /** What to do about the error in general. The hint of a diagnostic is more specific. */
  readonly remedy: string;
}

/** Every code that a diagnostic can have. The error taxonomy of `@reins/contracts` describes what each code means. */
const CODES = {
  // the whole file
  workspace_config_invalid_yaml: {
    remedy:
      'Fix the YAML at the reported line. The cause is often one line earlier: a missing quote, a tab, or wrong indentation.',
  },
  workspace_shape_invalid: {
    alias: 'workspace_config_invalid_yaml',
    remedy:
      'Write the value in the form that docs/workspace.md shows. A mapping has `key: value` lines; each entry of a list starts with `-`.',
  },
  workspace_input_too_large: {
    alias: 'workspace_config_invalid_yaml',
    remedy:
      'Keep each YAML file under 1 MiB and all YAML files together under 8 MiB. Move data to other files of the workspace.',
  },
  workspace_yaml_unsafe: {
    alias: 'workspace_config_invalid_yaml',
    remedy: 'Use fewer aliases, reduce the nesting, and remove aliases that refer to the node that contains them.',
  },
  workspace_encoding_invalid: {
    remedy: 'Save the file as UTF-8, and check the reported position: the original characters are lost.',
  },
  workspace_field_invalid: {
    alias: 'workspace_config_invalid_yaml',
    remedy:
      'Write a value that the key accepts (see docs/workspace.md). Write numbers without quotes, and quote strings that look like numbers.',
  },
  workspace_key_unknown: {
    remedy: 'Correct the name. To keep a custom key, start its name with `x-`.',
  },
  workspace_key_collision: { remedy: 'Remove or rename one of the duplicates.' },
  workspace_value_coerced: {
    remedy: 'Write the value as the hint shows. The meaning stays the same.',
  },
  workspace_value_ignored: { remedy: 'Remove the value, or move it to where it has an effect.' },

  // agents
  workspace_general_missing: {
    remedy: 'Add `agents` with an `id` and a `model`. A team is a list in which one entry has `coordinator: true`.',
  },
  workspace_agent_field_invalid: {
    alias: 'workspace_general_missing',
    remedy: 'Write a string that is not blank. Quote a string that looks like a number, a date or a boolean.',
  },
  model_provider_unconfigured: {
    remedy: 'Name a model of a configured provider, `<provider>/<model>`, or configure the provider in the settings.',
  },
  workspace_prompt_inline_not_allowed: { remedy: 'Move the text to AGENTS.md in the root folder of the workspace.' },
  workspace_schema_field_conflict: { remedy: 'Keep `schema_id` or `schema_module_path`, not both.' },
  workspace_team_member_id_duplicate: { remedy: 'Use a unique id for each agent of the team.' },
  workspace_schema_alias_invalid: {
    alias: 'workspace_config_invalid_yaml',
    remedy: 'Write `name: schema`; neither may be blank.',
  },

  // tools
  workspace_tool_registry_unsupported: { remedy: 'Move the tools to `mcp_registry.catalog` and remove the key.' },
  workspace_mcp_registry_missing: { remedy: 'Add `mcp_registry` with at least `servers: {}`.' },
  workspace_mcp_tool_id_invalid: {
    remedy: 'Write `server.tool`. To allow all tools of a server, omit the server from the allowlist.',
  },
  workspace_mcp_server_unknown: { remedy: 'Declare the server under `mcp_registry.servers`, or correct its name.' },
  workspace_mcp_server_disabled: {
    alias: 'workspace_mcp_server_unknown',
    remedy: 'Enable the server, or remove its tools from the allowlist.',
  },
  workspace_mcp_server_invalid: {
    alias: 'workspace_mcp_server_unknown',
    remedy:
      'Correct the field. A local server has a `command`, a remote server has a `url`, and values of headers and environment are strings.',
  },
  workspace_mcp_server_failed: { remedy: 'Correct the server or the tool, and run `reins compile --probe` again.' },
  workspace_mcp_tool_unknown: { remedy: 'Correct the name of the tool, or remove it from the list.' },
  workspace_mcp_catalog_entry_invalid: {
    remedy: 'Set `module_path: tools.<name>`, and set `symbol` to the function that the module exports.',
  },
  workspace_module_invalid: { remedy: 'Correct the module, or the name of the module or of its export.' },
  workspace_mcp_catalog_missing: { remedy: 'Add the tool to `mcp_registry.catalog`, or remove it from the allowlist.' },
  mcp_placeholder_invalid: {
    remedy: 'Write `{env:NAME}` with the name of an environment variable, or write the value itself without `{env:}`.',
  },

  // applications
  workspace_path_escapes: {
    alias: 'app_config_not_found',
    remedy: 'Use a relative path inside the workspace.',
  },
  app_duplicate_id: { remedy: 'Use a unique id for each application.' },
  app_id_invalid: {
    alias: 'app_id_mismatch',
    remedy: 'Write the id as a string that is not empty, in quotes if necessary.',
  },
  app_id_mismatch: { remedy: 'Use the same `app_id` in workspace.yaml and in the manifest.' },
  app_config_not_found: { remedy: 'Correct `config_path`, or add the manifest to the workspace.' },
  app_config_invalid_yaml: { remedy: 'Fix the field named in `path`.' },
  app_manifest_field_invalid: {
    alias: 'app_config_invalid_yaml',
    remedy: 'Write a value of the type that docs/workspace.md lists for the key.',
  },
  app_integration_invalid: {
    alias: 'app_config_invalid_yaml',
    remedy: 'Set `provider` for each integration.',
  },
  app_mcp_port_missing: { remedy: 'Set `mcp.port` to the port on which the application serves MCP.' },
  app_mcp_port_invalid: {
    alias: 'app_mcp_port_missing',
    remedy: 'Write a whole number from 1 to 65535, without quotes.',
  },

  // inventories
  inventory_document_invalid: { remedy: 'Write the fields that docs/workspace.md lists for the kind of the document.' },
  inventory_kind_unknown: { remedy: 'Correct `kind`, or move the file out of config/.' },
  inventory_name_duplicate: { remedy: 'Use a unique name for each document of a kind.' },
  inventory_reference_unknown: { remedy: 'Correct the name, or add a document with this name.' },
} as const satisfies Partial<Record<ErrorCode, CodeEntry>>;

export type DiagnosticCode = keyof typeof CODES;

/** All codes with their remedies, for documentation. */
export const DIAGNOSTIC_CODES: Readonly<Record<DiagnosticCode, CodeEntry>> = CODES;

/** The code of the legacy system for a diagnostic code, if it has one. */
export function aliasOf(code: DiagnosticCode): ErrorCode | undefined {
  return DIAGNOSTIC_CODES[code].alias;
}
