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
  port_in_use: away('another process listens on the port that a service needs'),
  internal_error: failed('an error of Reins itself'),
  storage_failed: failed(
    'a file or a folder cannot be read or written: the disk is full, or something is not as it must be',
  ),
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

  // supervisor
  system_already_running: { status: 409, retryable: false, meaning: 'another system works on the same state folder' },

  // runtime-config
  mcp_placeholder_invalid: bad('an {env:NAME} placeholder of an MCP server has a wrong shape'),
  mcp_environment_missing: bad('an MCP server needs an environment variable that the installation does not have'),
  reference_path_invalid: bad('a reference leads out of the workspace, or is not a relative path'),
  model_invalid: bad('the model is not a name that can be routed'),
  model_provider_unconfigured: bad('the provider of the chosen model is not configured, or not completely'),
  output_schema_missing: bad('the output schema of an agent cannot be found'),
  boundary_override_granted: bad(
    'a request asks that its run may leave its folder; told so that it can be seen afterwards',
  ),
  runtime_profile_ignored: bad('a workspace asks for a runtime that its stage was not given'),
  output_schema_invalid: bad('the output schema of an agent is not a JSON Schema that can be read'),
  attachment_unreadable: bad('the text of an attached document cannot be taken out; the document itself is there'),
  context_invalid: bad('a context that came with a request does not have its documented shape, and is left out'),
  attachment_invalid: bad('an attachment is not described completely, or leads out of the workspace'),
  host_request_invalid: bad('a host request does not have the shape that a harness host takes'),
  host_value_missing: bad('a host request names a variable or a setting that its host does not know'),
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

  // bus
  bus_unavailable: away('the NATS server, or the leader of a stream, does not answer'),
  bus_closed: away('the connection to NATS was closed while something was under way'),
  bus_server_too_old: failed('the NATS server is older than the oldest one that is safe to use'),
  bus_topology_mismatch: failed('streams, consumers or buckets are missing or differ from what the installation needs'),
  bus_publish_refused: failed('the stream refused a message'),
  bus_request_invalid: failed('the NATS client refuses a request before it is sent'),
  bus_stream_full: away('the stream has reached its limits and takes nothing more'),
  bus_message_too_large: {
    status: 413,
    retryable: false,
    meaning: 'the message is larger than the server or the stream takes',
  },
  bus_sequence_taken: {
    status: 409,
    retryable: false,
    meaning: 'another message already stands where this one was to be',
  },
  bus_lease_lost: away('the partition belongs to another replica, or to nobody at this moment'),
  handler_missing: failed('no handler is registered for the type of a message'),
  delivery_exhausted: failed('a message failed as often as its retry policy allows'),
  delivery_crashed: failed('a message ended the process that handled it, more than once'),
  blob_not_found: { status: 404, retryable: false, meaning: 'no blob with this hash' },
  blob_corrupt: failed('the bytes of a blob do not have its hash'),
  dead_letter_not_found: { status: 404, retryable: false, meaning: 'no dead letter with this number' },

  // workspace-plan: the codes of the interface first, then ours that are more precise
  workspace_config_invalid_yaml: bad('workspace.yaml cannot be read, or a part of it has the wrong shape'),
  workspace_general_missing: bad('`agents` is missing or has no usable id and model'),
  workspace_prompt_inline_not_allowed: bad('the instructions of an agent stand in AGENTS.md, not in workspace.yaml'),
  workspace_schema_field_conflict: bad('an agent names its output schema in two ways'),
  workspace_tool_registry_unsupported: bad('`tool_registry` was replaced by `mcp_registry`'),
  workspace_mcp_registry_missing: bad('`mcp_registry` or one of its parts is missing or is no mapping'),
  workspace_mcp_tool_id_invalid: bad('an allowlisted tool id is not `server.tool`, or stands twice'),
  workspace_mcp_server_unknown: bad('an allowlisted or gated tool names a server that is not declared'),
  workspace_mcp_catalog_entry_invalid: bad('an entry of the tool catalog has no usable module or symbol'),
  workspace_mcp_catalog_missing: bad('an allowlisted or gated workspace tool has no entry in the catalog'),
  workspace_team_member_id_duplicate: bad('two agents of a team have the same id'),
  app_duplicate_id: bad('two applications have the same id'),
  app_config_not_found: bad('the manifest of an application is not among the references'),
  app_config_invalid_yaml: bad('the manifest of an application cannot be read, or a part of it has the wrong shape'),
  app_id_mismatch: bad('the manifest of an application names another id than the workspace does'),
  app_mcp_port_missing: bad('the manifest of an application has no usable mcp.port'),
  workspace_shape_invalid: bad('a part of the workspace has the wrong shape'),
  workspace_input_too_large: bad('a file of the workspace is larger than the compiler admits'),
  workspace_yaml_unsafe: bad('a YAML document expands without end, far beyond its size, or is nested too deep'),
  workspace_encoding_invalid: bad('the bytes of a file of the workspace are not UTF-8'),
  workspace_field_invalid: bad('a field of the workspace has a value that it does not admit'),
  workspace_agent_field_invalid: bad('a field of an agent is blank or no text'),
  workspace_schema_alias_invalid: bad('a schema alias is no pair of texts'),
  workspace_mcp_server_invalid: bad('the declaration of an MCP server has the wrong shape'),
  workspace_mcp_server_disabled: bad('an allowlisted tool names a server that is switched off'),
  workspace_path_escapes: bad('a path of the workspace is absolute or leads out of it'),
  app_id_invalid: bad('the id of an application is empty or no text'),
  app_manifest_field_invalid: bad('a field of an application manifest has a value that it does not admit'),
  app_integration_invalid: bad('an integration of an application is not described completely'),
  app_mcp_port_invalid: bad('mcp.port is no whole number from 1 to 65535'),
  workspace_key_unknown: bad('a key is not one that the compiler knows; it has no effect'),
  workspace_value_coerced: bad('a value has the wrong type and was read as what it evidently means'),
  workspace_value_ignored: bad('a value has no effect where it stands'),
  workspace_key_collision: bad('two keys are the same after trimming; the later one counts'),
  inventory_document_invalid: bad('a document of an inventory does not have the shape of its kind'),
  inventory_kind_unknown: bad('a document of an inventory has a kind that there is not'),
  inventory_name_duplicate: bad(
    'two documents of an inventory have the same kind and name, or two nodes of a graph the same id',
  ),
  inventory_reference_unknown: bad('a document of an inventory names another one that there is not'),

  // journal
  journal_corrupt: failed('a journal does not hold what it must: a changed, missing or misplaced entry'),
  journal_newer: away('a newer version of Reins wrote the journal of the run, and knows what is in it'),
  journal_unavailable: away('the store of the journals cannot be reached'),
  run_exists: { status: 409, retryable: false, meaning: 'there is a run of this id already' },
  run_locked: { status: 409, retryable: true, meaning: 'another process holds the run directory' },
  run_archived: failed('the run was archived; its entries are in the archive'),

  // replay
  replay_nondeterminism: failed('a process asked for something else than what its journal recorded at that place'),
  process_invalid: bad('a process used its context in a way it does not have'),
  process_failed: failed('a process ended with an error of its own'),
  effect_cancelled: failed('an effect was cancelled'),
  replay_ambient: bad('a process asked the machine for something that would be another in the next replay'),
  process_missing: bad('the run has no process yet'),
  process_already_assigned: { status: 409, retryable: false, meaning: 'the run has its process already' },
  signals_full: failed('as many signals are kept for a process that does not take them as may be'),
  effect_not_pending: { status: 409, retryable: false, meaning: 'the effect is unknown, or has its result already' },
  effect_superseded: {
    status: 409,
    retryable: false,
    meaning: 'the effect was asked for before the process last began',
  },
  process_not_broken: { status: 409, retryable: false, meaning: 'the process has no error to recover from' },

  // sandbox
  process_not_found: bad('the module of a process does not exist in its folder'),
  process_export_missing: bad('the module of a process has no function of the name that was asked for'),
  process_import_refused: bad('a module of a process imports what processes do not have, or what is not in its folder'),
  process_access_refused: bad('a process reached for something that its sandbox does not have'),
  process_timed_out: failed('a process was busy for longer than a turn or a step may take'),
  process_out_of_memory: failed('a process needed more memory than it may have'),
  process_output_too_large: failed('a process said more in one turn than it may'),
  process_crashed: failed('the process of a sandbox ended in the midst of its work'),
  sandbox_busy: away('as many sandboxes are at work as may be'),
  sandbox_unavailable: away('no sandbox could be started'),

  // harness
  harness_unknown: bad('no runtime of this name is known to this installation'),
  harness_unsupported: bad('the run asks for something that its runtime does not have'),
  harness_start_failed: away('the executor of a runtime could not be started'),
  harness_timeout_total: failed('the executor ran longer than the stage may', true),
  harness_timeout_startup: failed('the executor gave no sign of life in time', true),
  harness_timeout_idle: failed('the executor was silent for too long', true),
  harness_no_progress: failed('the executor was busy for too long without a step of progress', true),
  harness_exited: failed('the executor ended without telling how the work ended', true),
  harness_protocol_invalid: failed('the executor wrote something that its protocol does not have', true),
  harness_output_invalid: failed('the answer does not have the form that the stage asks for', true),
  harness_step_limit: failed('the executor took more steps than it may'),
  model_unauthorized: failed('the model endpoint refused the key'),
  model_call_refused: failed('the model endpoint refused the call'),
  model_rate_limited: away('the model endpoint says that there were too many calls'),
  model_unavailable: away('the model endpoint cannot be reached, or failed'),
  model_answer_cut: away('the answer of the model ended before its end'),
  model_answer_invalid: failed('the answer of the model is not what the protocol allows', true),

  // tool-gateway
  mcp_server_failed: away('an MCP server could not be started, reached or understood'),
  mcp_server_unavailable: away(
    'an MCP server that the run cannot do without is not there, or not with all of its tools',
  ),
  app_start_failed: away('an application of the workspace did not come up well'),

  // harness-host
  stage_claimed: away('another harness host works on the stage'),
  stage_start_expired: away('no harness host took the stage within the time it had to start'),
  stage_outcome_unknown: failed('the harness host that worked on the stage is gone, and nobody saw how it ended', true),
  stage_executor_lost: failed('the process that ran the executor ended, or grew beyond its bound', true),

  // control-bus
  request_lost: failed('NATS was set back to before the request, and its journal is gone', false),
  run_unknown: { status: 404, retryable: false, meaning: 'a message is about a run that does not exist' },
  partition_moved: away('the run has another owner now; what was sent to it is handled there'),
  session_queue_full: { status: 429, retryable: true, meaning: 'too many requests of one session wait for their turn' },
  process_unknown: failed('the run is driven by a process that this installation does not have'),
  effect_not_started: failed('no worker began within the time that the effect allows', true),
  effect_timed_out: failed('a worker began, and no end was heard of in time', true),
  approval_expired: failed('nobody decided in time'),
  signal_timeout: failed('the signal did not come in time'),
  child_too_deep: bad('a run may not start another one inside so many runs'),
  question_expired: failed('nobody answered the question of an executor in time'),
  plan_rejected: bad('the workspace does not compile'),
  verdict_missing: failed('an evaluate stage ended without a verdict'),
  pipeline_budget_spent: failed('the evaluation still fails after the last iteration'),
  runtime_missing: away('no healthy host offers a runtime that the profile names'),

  // store
  event_unstorable: bad('the read model cannot hold an event as it is'),

  // gateway
  approval_not_found: { status: 404, retryable: false, meaning: 'the request has no such approval' },
  media_type_unsupported: { status: 415, retryable: false, meaning: 'the body has another media type than documented' },
});

export type ErrorCode = keyof typeof ERROR_CODES;
