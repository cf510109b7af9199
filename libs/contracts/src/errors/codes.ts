/**
 * Every error code of the system, once. A code is stable: it is part of the interface, so it is never renamed, only added.
 * `status` is the HTTP status that the gateway answers with; `retryable` says whether the same call may succeed later.
 */
export interface ErrorCodeInfo {
  readonly status: number;
  readonly retryable: boolean;
  readonly meaning: string;
}

const define = <T extends Record<string, ErrorCodeInfo>>(codes: T): T => codes;
const bad = (meaning: string): ErrorCodeInfo => ({ status: 400, retryable: false, meaning });
const failed = (meaning: string, retryable = false): ErrorCodeInfo => ({ status: 500, retryable, meaning });
const away = (meaning: string): ErrorCodeInfo => ({ status: 503, retryable: true, meaning });

export const ERROR_CODES = define({
  // the edge
  request_invalid: bad('the body, a parameter or a header does not have the documented shape'),
  request_not_found: { status: 404, retryable: false, meaning: 'no such request' },
  workspace_not_found: { status: 404, retryable: false, meaning: 'no such workspace revision' },
  route_not_found: { status: 404, retryable: false, meaning: 'no such route' },
  unauthorized: { status: 401, retryable: false, meaning: 'no API key, or one that is unknown or revoked' },
  idempotency_conflict: { status: 409, retryable: false, meaning: 'the idempotency key was used with another body' },
  request_ended: { status: 409, retryable: false, meaning: 'the request has already ended' },
  payload_too_large: {
    status: 413,
    retryable: false,
    meaning: 'the body or a file is larger than the installation admits',
  },
  admission_limited: { status: 429, retryable: true, meaning: 'too much work is waiting; try again later' },
  service_unavailable: away('a part of the system that this call needs cannot be reached'),
  internal_error: failed('an error of Reins itself'),
  wrong_usage: bad('the command line was used in a way it does not have'),

  // contract
  message_invalid: bad('a message does not have the shape that the catalogue gives its type'),
  event_type_unknown: bad('the type is not in the event catalogue'),
  subject_invalid: bad('the subject is not one of the grammar'),
  token_invalid: bad('an id is not a subject-safe token'),
  settings_invalid: bad('a setting is missing or has the wrong shape'),

  // embedded
  embedded_unavailable: away(
    'a part that Reins brings along (NATS server, Postgres) is neither there nor can be installed',
  ),
  embedded_start_failed: away('a part that Reins brings along did not start'),

  // runtime-config
  mcp_placeholder_invalid: bad('an {env:NAME} placeholder of an MCP server has a wrong shape'),
  mcp_environment_missing: bad('an MCP server needs an environment variable that the installation does not have'),
  reference_path_invalid: bad('a reference leads out of the workspace, or is not a relative path'),
  model_invalid: bad('the model is not a name that can be routed'),
  model_provider_unconfigured: bad('the provider of the chosen model is not configured, or not completely'),
  output_schema_missing: bad('the output schema of an agent cannot be found'),
  attachment_invalid: bad('an attachment is not described completely, or leads out of the workspace'),
  host_request_invalid: bad('a host request does not have the shape that a harness host takes'),
  skill_invalid: bad('a skill has no usable SKILL.md'),
  skill_gates_unlisted_tool: bad('a skill grants a tool that the workspace does not gate; the grant has no effect'),
  thinking_value_unknown: bad('the thinking value is none that is known; the executor keeps its own default'),
  context_truncated: bad('a context was larger than its budget and was cut'),

  // scripted-model
  script_invalid: bad('a script of the scripted model does not have the documented shape'),

  // workspace-tree
  tree_path_refused: bad('a path is no plain relative path, or collides with another path of its tree'),
  tree_entry_refused: bad('a tree holds regular files alone: a link, a device or a socket stands in it'),
  tree_manifest_invalid: bad(
    'a manifest of a tree does not have the documented shape, or not the id that it should have',
  ),
  tree_limit_exceeded: {
    status: 413,
    retryable: false,
    meaning: 'a tree has more files, more bytes or longer paths than admitted',
  },
  tree_changed: { status: 409, retryable: true, meaning: 'files changed while they were captured or written' },
  tree_not_found: { status: 404, retryable: false, meaning: 'no such tree in the store' },
  tree_content_missing: failed('the store does not have the content of a file that a tree names'),
  tree_content_corrupt: failed('stored content does not have the hash that it is stored under'),
});

export type ErrorCode = keyof typeof ERROR_CODES;
