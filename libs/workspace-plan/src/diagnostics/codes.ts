import type { ErrorCode } from '@reins/contracts';

interface CodeEntry {
  /** The code under which installations that migrate know this, where ours is more precise. */
  readonly alias?: ErrorCode;
  /** What to do about it, in general; a diagnostic's hint says it for the case. */
  readonly mend: string;
}

/** Every code that a diagnostic can have. What each means stands with the code in the error taxonomy. */
const CATALOGUE = {
  // the whole file
  workspace_config_invalid_yaml: {
    mend: 'Mend the YAML at the place that is told. The cause often stands a line before it: a missing quote, a tab, an indentation that is off by one.',
  },
  workspace_shape_invalid: {
    alias: 'workspace_config_invalid_yaml',
    mend: 'Give the part the shape that docs/workspace.md shows: a mapping has `key: value` lines, a list begins its entries with `-`.',
  },
  workspace_input_too_large: {
    alias: 'workspace_config_invalid_yaml',
    mend: 'Keep each file of YAML under a mebibyte and all of them under eight: data belongs in files of the workspace, not in its configuration.',
  },
  workspace_yaml_unsafe: {
    alias: 'workspace_config_invalid_yaml',
    mend: 'Use fewer aliases, nest less deeply, and let no anchor contain an alias of itself.',
  },
  workspace_encoding_invalid: {
    mend: 'Save the file as UTF-8, and look at the place that is told: what stood there is lost.',
  },
  workspace_field_invalid: {
    alias: 'workspace_config_invalid_yaml',
    mend: 'Write a value that the key admits (docs/workspace.md has them all). Nothing is converted: numbers stand without quotes, texts that look like numbers with them.',
  },
  workspace_key_unknown: {
    mend: 'Correct the name. To keep a note of your own, begin its key with `x-`.',
  },
  workspace_key_collision: { mend: 'Remove one of the two, or rename it.' },
  workspace_value_coerced: {
    mend: 'Write the value as the hint says; it is read the same way then, and says what it means.',
  },
  workspace_value_ignored: { mend: 'Remove the value, or move it to where it has an effect.' },

  // agents
  workspace_general_missing: {
    mend: 'Add `agents` with an `id` and a `model`. A team is a list in which one entry has `coordinator: true`.',
  },
  workspace_agent_field_invalid: {
    alias: 'workspace_general_missing',
    mend: 'Write a text that is not blank; quote what looks like a number, a date, or true or false.',
  },
  workspace_prompt_inline_not_allowed: { mend: 'Move the text to AGENTS.md in the root of the workspace.' },
  workspace_schema_field_conflict: { mend: 'Keep `schema_id` or `schema_module_path`, not both.' },
  workspace_team_member_id_duplicate: { mend: 'Give every agent of the team an id of its own.' },
  workspace_schema_alias_invalid: {
    alias: 'workspace_config_invalid_yaml',
    mend: 'Write `name: schema`, both texts that are not blank.',
  },

  // tools
  workspace_tool_registry_unsupported: { mend: 'Move the tools to `mcp_registry.catalog` and remove the key.' },
  workspace_mcp_registry_missing: { mend: 'Add `mcp_registry` with at least `servers: {}`.' },
  workspace_mcp_tool_id_invalid: {
    mend: 'Write `server.tool`. To keep all tools of a server, leave the server out of the allowlist.',
  },
  workspace_mcp_server_unknown: { mend: 'Declare the server under `mcp_registry.servers`, or correct its name.' },
  workspace_mcp_server_disabled: {
    alias: 'workspace_mcp_server_unknown',
    mend: 'Enable the server, or remove its tools from the allowlist.',
  },
  workspace_mcp_server_invalid: {
    alias: 'workspace_mcp_server_unknown',
    mend: 'Correct the field: a local server has a `command`, a remote one a `url`, and values of headers and environment are texts.',
  },
  workspace_mcp_catalog_entry_invalid: {
    mend: 'Give the entry `module_path: tools.<name>` and the `symbol` that the module exports.',
  },
  workspace_mcp_catalog_missing: { mend: 'Add the tool to `mcp_registry.catalog`, or remove it from the allowlist.' },
  mcp_placeholder_invalid: {
    mend: 'Write `{env:NAME}` with the name of an environment variable, or the value itself without `{env:}`.',
  },

  // applications
  workspace_path_escapes: {
    alias: 'app_config_not_found',
    mend: 'Give a path inside the workspace, relative to it.',
  },
  app_duplicate_id: { mend: 'Give every application an id of its own.' },
  app_id_invalid: { alias: 'app_id_mismatch', mend: 'Write the id as a text that is not empty; quote it if need be.' },
  app_id_mismatch: { mend: 'Write the same `app_id` in workspace.yaml and in the manifest.' },
  app_config_not_found: { mend: 'Correct `config_path`, or add the manifest to the workspace.' },
  app_config_invalid_yaml: { mend: 'Mend the manifest at the place that is told.' },
  app_manifest_field_invalid: {
    alias: 'app_config_invalid_yaml',
    mend: 'Write a value of the type that docs/workspace.md names for the key.',
  },
  app_integration_invalid: {
    alias: 'app_config_invalid_yaml',
    mend: 'Give every integration a `provider`.',
  },
  app_mcp_port_missing: { mend: 'Add `mcp.port`, the port on which the application serves MCP.' },
  app_mcp_port_invalid: {
    alias: 'app_mcp_port_missing',
    mend: 'Write a whole number from 1 to 65535, without quotes.',
  },

  // inventories
  inventory_document_invalid: { mend: 'Give the document the fields of its kind, as docs/workspace.md lists them.' },
  inventory_kind_unknown: { mend: 'Correct `kind`, or move the file out of config/.' },
  inventory_name_duplicate: { mend: 'Give every document of a kind a name of its own.' },
  inventory_reference_unknown: { mend: 'Correct the name, or declare what it names.' },
} as const satisfies Partial<Record<ErrorCode, CodeEntry>>;

export type DiagnosticCode = keyof typeof CATALOGUE;

/** The catalogue, for those who list it. */
export const DIAGNOSTIC_CODES: Readonly<Record<DiagnosticCode, CodeEntry>> = CATALOGUE;

/** The code of the interface for one of ours. */
export function aliasOf(code: DiagnosticCode): ErrorCode | undefined {
  return DIAGNOSTIC_CODES[code].alias;
}
