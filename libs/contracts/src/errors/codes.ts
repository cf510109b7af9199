/**
 * All error codes. A code is part of the public interface: codes are added, never renamed. `status` is the HTTP status
 * of the gateway's response; `retryable` says whether the same call may succeed later.
 */
export interface ErrorCodeInfo {
  readonly status: number;
  readonly retryable: boolean;
  readonly meaning: string;
}

const define = <T extends Record<string, ErrorCodeInfo>>(codes: T): T => codes;
const invalid = (meaning: string): ErrorCodeInfo => ({ status: 400, retryable: false, meaning });
const failed = (meaning: string, retryable = false): ErrorCodeInfo => ({ status: 500, retryable, meaning });
const unavailable = (meaning: string): ErrorCodeInfo => ({ status: 503, retryable: true, meaning });

export const ERROR_CODES = define({
  // gateway
  request_invalid: invalid('the body, a parameter or a header is invalid'),
  request_not_found: { status: 404, retryable: false, meaning: 'no such request' },
  workspace_not_found: { status: 404, retryable: false, meaning: 'no such workspace revision' },
  route_not_found: { status: 404, retryable: false, meaning: 'no such route' },
  unauthorized: { status: 401, retryable: false, meaning: 'the API key is missing, unknown or revoked' },
  idempotency_conflict: { status: 409, retryable: false, meaning: 'the idempotency key was used with another body' },
  request_not_ended: { status: 409, retryable: false, meaning: 'the request has not ended yet' },
  request_ended: { status: 409, retryable: false, meaning: 'the request has already ended' },
  events_gone: {
    status: 410,
    retryable: false,
    meaning: 'the event log does not have these events: they expired, or the log was rolled back or replaced',
  },
  run_expired: { status: 410, retryable: false, meaning: 'the run of the request expired: its data was removed' },
  session_expired: {
    status: 410,
    retryable: false,
    meaning: 'the session expired with its last run, and cannot be continued',
  },
  payload_too_large: {
    status: 413,
    retryable: false,
    meaning: 'the body or a file exceeds the limit of the installation',
  },
  admission_limited: { status: 429, retryable: true, meaning: 'too many requests are open; try again later' },
  quota_exceeded: {
    status: 429,
    retryable: true,
    meaning: 'one API key sends too many calls, or one request gets too many commands; try again later',
  },
  protocol_disabled: { status: 404, retryable: false, meaning: 'a protocol of the gateway is switched off' },
  model_not_found: { status: 404, retryable: false, meaning: 'no agent has the model name of a call' },
  response_not_found: { status: 404, retryable: false, meaning: 'no such response in the OpenAI protocol' },
  previous_response_not_found: invalid('the response that a call continues does not exist'),
  parameter_unsupported: invalid('a protocol does not support a parameter, or this value of it'),
  request_failed: failed('the request that a call of a protocol waits for has failed'),
  request_cancelled: {
    status: 409,
    retryable: false,
    meaning: 'the request that a call of a protocol waits for was cancelled',
  },
  answer_late: {
    status: 504,
    retryable: false,
    meaning: 'the request that a call of a protocol waits for has no answer yet; it continues',
  },
  service_unavailable: unavailable('a component that this call needs is unreachable'),
  port_in_use: unavailable('another process listens on the port that a service needs'),
  internal_error: failed('an internal error of Reins'),
  storage_failed: failed('a file or folder cannot be read or written, for example because the disk is full'),
  wrong_usage: invalid('the command line is invalid'),
  node_unsupported: failed('the version of Node.js is too old'),

  // memory
  memory_record_not_found: { status: 404, retryable: false, meaning: 'no such memory record' },
  memory_namespace_invalid: invalid('a memory namespace is malformed, or does not accept this kind of record'),
  memory_access_denied: { status: 403, retryable: false, meaning: 'the memory policy does not permit this access' },
  memory_secret_found: invalid('the text to remember contains a secret'),
  memory_conflict: {
    status: 409,
    retryable: false,
    meaning: 'the memory record was superseded or forgotten, or changes too often',
  },

  // policy
  policy_invalid: invalid('a policy cannot be read'),
  tool_denied_repeatedly: {
    status: 403,
    retryable: false,
    meaning: 'the policy of a stage refused too many calls of its tools',
  },

  // contract
  message_invalid: invalid('a message does not match the schema of its type'),
  event_type_unknown: invalid('the type is not in the event catalogue'),
  subject_invalid: invalid('the subject does not match the subject grammar'),
  token_invalid: invalid('an id is not a subject-safe token'),
  settings_invalid: invalid('a setting is missing or invalid'),

  // embedded
  embedded_unavailable: unavailable(
    'an embedded component (NATS server, Postgres) is not available and cannot be installed',
  ),
  embedded_start_failed: unavailable('an embedded component did not start'),

  // supervisor
  system_already_running: { status: 409, retryable: false, meaning: 'another instance uses the same state folder' },

  // runtime-config
  mcp_placeholder_invalid: invalid('an {env:NAME} placeholder of an MCP server is malformed'),
  mcp_environment_missing: invalid('an MCP server needs an environment variable that is not set'),
  reference_path_invalid: invalid('a reference points outside the workspace, or is not a relative path'),
  model_invalid: invalid('no provider can be determined from the model name'),
  model_unlisted: invalid('a provider does not list the model'),
  model_provider_unconfigured: invalid(
    'the provider of the selected model is missing, or its configuration is incomplete',
  ),
  credentials_unsupported: invalid('a provider is configured with credentials that are not an API key'),
  output_schema_missing: invalid('the output schema of an agent does not exist'),
  boundary_override_granted: invalid('a request lets its run access files outside its folder; recorded for auditing'),
  runtime_profile_ignored: invalid('a workspace selects a runtime that is not used for its stage'),
  output_schema_invalid: invalid('the output schema of an agent is not a valid JSON Schema'),
  attachment_unreadable: invalid(
    'the text of an attached document cannot be extracted; the document itself is available',
  ),
  context_invalid: invalid('a context item of the request is invalid and was skipped'),
  attachment_invalid: invalid('an attachment is incomplete, or points outside the workspace'),
  host_request_invalid: invalid('a host request is invalid'),
  host_value_missing: invalid('a host request names a variable or setting that the host does not have'),
  workspace_file_misnamed: invalid('a file of the workspace has a name that Reins does not use'),
  workspace_module_invalid: invalid(
    'a module of the catalog or of the process does not exist, cannot be parsed, or lacks the named export',
  ),
  workspace_folder_large: invalid('a folder of the workspace is large or holds installed packages'),
  skill_invalid: invalid('a skill has no usable SKILL.md'),
  skill_gates_unlisted_tool: invalid('a skill grants a tool that the workspace does not gate; the grant has no effect'),
  thinking_value_unknown: invalid('the thinking value is unknown; the executor uses its default'),
  context_truncated: invalid('a context item exceeded its token budget and was truncated'),

  // scripted-model
  script_invalid: invalid('a script of the scripted model is invalid'),

  // workspace-tree
  tree_path_refused: invalid('a path is not a plain relative path, or conflicts with another path of its tree'),
  tree_entry_refused: invalid(
    'a tree contains an unreadable path, a device, a pipe, a socket, or a link that leaves the tree',
  ),
  tree_manifest_invalid: invalid('the manifest of a tree is invalid, or does not match its id'),
  tree_limit_exceeded: {
    status: 413,
    retryable: false,
    meaning: 'a tree exceeds the limit for files, bytes or path length',
  },
  tree_changed: { status: 409, retryable: true, meaning: 'files changed while they were captured or written' },
  tree_not_found: { status: 404, retryable: false, meaning: 'no such tree in the store' },
  tree_content_missing: failed('the store lacks the content of a file of the tree'),
  tree_content_corrupt: failed('stored content does not match its hash'),

  // bus
  bus_unavailable: unavailable('the NATS server, or the leader of a stream, does not respond'),
  bus_closed: unavailable('the connection to NATS was closed during an operation'),
  bus_server_too_old: failed('the NATS server is older than the minimum version'),
  bus_topology_mismatch: failed('streams, consumers or buckets are missing or differ from their declaration'),
  bus_publish_refused: failed('the stream refused a message'),
  bus_request_invalid: failed('the NATS client rejected a request before sending it'),
  bus_stream_full: unavailable('a stream, the account or the disk of the server is full; try again later'),
  bus_message_too_large: {
    status: 413,
    retryable: false,
    meaning: 'the message exceeds the size limit of the server or the stream',
  },
  bus_sequence_taken: {
    status: 409,
    retryable: false,
    meaning: 'the subject already has another message at this position',
  },
  bus_lease_lost: unavailable('another replica owns the partition, or it is unowned at the moment'),
  handler_missing: failed('no handler is registered for the type of a message'),
  delivery_exhausted: failed('a message failed more often than its retry policy allows'),
  delivery_crashed: failed('a message repeatedly crashed the process that handled it'),
  delivery_hangs: failed('the handling of a message has not ended within its time limit'),
  blob_not_found: { status: 404, retryable: false, meaning: 'no blob with this hash' },
  blob_corrupt: failed('the content of a blob does not match its hash'),
  dead_letter_not_found: { status: 404, retryable: false, meaning: 'no dead letter with this sequence' },

  // workspace-plan: first the general codes, then more precise ones
  workspace_config_invalid_yaml: invalid('workspace.yaml cannot be read, or a part of it is invalid'),
  workspace_general_missing: invalid('`agents` is missing or has no usable id and model'),
  workspace_prompt_inline_not_allowed: invalid(
    'the instructions of an agent belong in AGENTS.md, not in workspace.yaml',
  ),
  workspace_schema_field_conflict: invalid('an agent specifies its output schema in two ways'),
  workspace_tool_registry_unsupported: invalid('`tool_registry` was replaced by `mcp_registry`'),
  workspace_mcp_registry_missing: invalid('`mcp_registry` or one of its parts is missing or is not a mapping'),
  workspace_mcp_tool_id_invalid: invalid('an allowlisted tool id is not `server.tool`, or is listed twice'),
  workspace_mcp_server_unknown: invalid('an allowlisted or gated tool names a server that is not declared'),
  workspace_mcp_catalog_entry_invalid: invalid('an entry of the tool catalog has no usable module or symbol'),
  workspace_mcp_catalog_missing: invalid('an allowlisted or gated workspace tool has no entry in the catalog'),
  workspace_team_member_id_duplicate: invalid('two agents of a team have the same id'),
  app_duplicate_id: invalid('two applications have the same id'),
  app_config_not_found: invalid('the manifest of an application was not found'),
  app_config_invalid_yaml: invalid('the manifest of an application cannot be read, or a part of it is invalid'),
  app_id_mismatch: invalid('the id in the manifest of an application differs from the id in the workspace'),
  app_mcp_port_missing: invalid('the manifest of an application has no usable mcp.port'),
  workspace_shape_invalid: invalid('a part of the workspace is invalid'),
  workspace_input_too_large: invalid('a file of the workspace exceeds the size limit of the compiler'),
  workspace_yaml_unsafe: invalid('a YAML document expands excessively or is nested too deeply'),
  workspace_encoding_invalid: invalid('a file of the workspace is not UTF-8'),
  workspace_field_invalid: invalid('a field of the workspace has an invalid value'),
  workspace_agent_field_invalid: invalid('a field of an agent is blank or not a string'),
  workspace_schema_alias_invalid: invalid('a schema alias is not a pair of strings'),
  workspace_mcp_server_invalid: invalid('the declaration of an MCP server is invalid'),
  workspace_mcp_server_failed: invalid('a server did not start, or a tool of the catalog could not be loaded'),
  workspace_mcp_tool_unknown: invalid('an allowlisted or gated tool is not offered by its server'),
  workspace_mcp_server_disabled: invalid('an allowlisted tool names a disabled server'),
  workspace_path_escapes: invalid('a path of the workspace is absolute or points outside it'),
  app_id_invalid: invalid('the id of an application is empty or not a string'),
  app_manifest_field_invalid: invalid('a field of an application manifest has an invalid value'),
  app_integration_invalid: invalid('an integration of an application is incomplete'),
  app_mcp_port_invalid: invalid('mcp.port is not an integer from 1 to 65535'),
  workspace_key_unknown: invalid('a key is unknown to the compiler and has no effect'),
  workspace_value_coerced: invalid('a value has the wrong type and was converted to the expected one'),
  workspace_value_ignored: invalid('a value has no effect in this place'),
  workspace_key_collision: invalid('two keys are equal except for surrounding white space; the later one is used'),
  inventory_document_invalid: invalid('a document of an inventory does not match the schema of its kind'),
  inventory_kind_unknown: invalid('a document of an inventory has an unknown kind'),
  inventory_name_duplicate: invalid(
    'two documents of an inventory have the same kind and name, or two nodes of a graph have the same id',
  ),
  inventory_reference_unknown: invalid('a document of an inventory references a document that does not exist'),

  // journal
  run_damaged: failed('the event log has facts of journal entries that were lost'),
  journal_corrupt: failed('a journal is corrupted: an entry was changed, is missing or is out of place'),
  journal_newer: unavailable('a newer version of Reins wrote the journal of the run'),
  journal_unavailable: unavailable('the journal store is unreachable'),
  run_exists: { status: 409, retryable: false, meaning: 'a run with this id already exists' },
  run_locked: { status: 409, retryable: true, meaning: 'another process holds the run directory' },
  run_archived: failed('the run was archived; its entries are in the archive'),

  // replay
  replay_nondeterminism: failed(
    'the decision of a process differs from the one that its journal recorded at that position',
  ),
  process_invalid: invalid('a process used its context incorrectly'),
  process_failed: failed('a process ended with an error'),
  effect_cancelled: failed('an effect was cancelled'),
  replay_ambient: invalid('a process used a nondeterministic API'),
  process_missing: invalid('the run has no process yet'),
  process_already_assigned: { status: 409, retryable: false, meaning: 'the run already has a process' },
  signals_full: failed('the run has too many signals that its process has not consumed'),
  answer_invalid: invalid('the answer to a breakpoint or an approval is not a decision'),
  effect_not_pending: { status: 409, retryable: false, meaning: 'the effect is unknown, or already has a result' },
  effect_superseded: {
    status: 409,
    retryable: false,
    meaning: 'the effect was requested before the last restart of the process',
  },
  process_not_broken: { status: 409, retryable: false, meaning: 'the process has no error to recover from' },

  // sandbox
  process_not_found: invalid('the module of a process does not exist'),
  process_export_missing: invalid('the module of a process does not export the requested function'),
  process_import_refused: invalid(
    'a module of a process imports something that is not available or is outside its folder',
  ),
  process_access_refused: invalid('a process accessed something that its sandbox does not provide'),
  process_timed_out: failed('a process exceeded the time limit of a turn or a step'),
  process_out_of_memory: failed('a process exceeded its memory limit'),
  process_output_too_large: failed('a process exceeded the output limit of a turn'),
  process_crashed: failed('the operating-system process of a sandbox exited unexpectedly'),
  sandbox_busy: unavailable('the maximum number of sandboxes is in use'),
  sandbox_unavailable: unavailable('a sandbox could not be started'),

  // harness
  harness_unknown: invalid('the installation has no runtime with this name'),
  harness_unsupported: invalid('the run needs something that its runtime does not support'),
  harness_start_failed: unavailable('the executor of a runtime could not be started'),
  harness_timeout_total: failed('the executor exceeded the time limit of the stage', true),
  harness_timeout_startup: failed('the executor produced no output within the startup timeout', true),
  harness_timeout_idle: failed('the executor exceeded the idle timeout', true),
  harness_no_progress: failed('the executor made no progress for too long', true),
  harness_exited: failed('the executor ended without reporting a result', true),
  harness_protocol_invalid: failed('the executor violated its protocol', true),
  harness_output_invalid: failed('the output does not have the format that the stage requires', true),
  harness_install_failed: failed('the executable of a runtime could not be installed'),
  harness_step_limit: failed('the executor exceeded its step limit'),
  model_unauthorized: failed('the model endpoint rejected the API key'),
  model_call_refused: failed('the model endpoint rejected the call'),
  model_rate_limited: unavailable('the model endpoint rejected the call: rate limit exceeded'),
  model_unavailable: unavailable('the model endpoint is unreachable or failed'),
  model_answer_cut: unavailable('the model response was truncated'),
  model_answer_invalid: failed('the model response violates the protocol', true),

  // tool-gateway
  tool_not_allowed: invalid('the run does not have the tool that was called'),
  tool_approval_required: invalid('the tool requires an approval before each call'),
  mcp_server_failed: unavailable('an MCP server could not be started or reached, or its response is invalid'),
  mcp_server_unavailable: unavailable('a required MCP server is unavailable, or lacks some of its tools'),
  mcp_package_not_found: failed('a registry lacks the package of an MCP server, or its declared version'),
  mcp_package_unreachable: unavailable('the registry with the package of an MCP server cannot be reached'),
  mcp_package_tool_missing: failed('the host lacks a program that installs packages of MCP servers'),
  mcp_package_invalid: failed(
    'the package of an MCP server has a different hash than declared, or no program to start',
  ),
  mcp_package_install_failed: failed('the package of an MCP server could not be installed'),
  app_start_failed: unavailable('an application of the workspace did not start'),

  // harness-host
  stage_claimed: unavailable('another harness host is running the stage'),
  stage_start_expired: unavailable('no harness host started the stage in time'),
  stage_outcome_unknown: failed('the harness host that ran the stage is gone; the outcome is unknown', true),
  stage_executor_lost: failed('the executor process ended, or exceeded its memory limit', true),

  // control-bus
  request_lost: failed('NATS was restored from a backup older than the request, so its journal is lost', false),
  run_unknown: { status: 404, retryable: false, meaning: 'a message refers to a run that does not exist' },
  partition_moved: unavailable('the run has a new owner, which handles its messages'),
  session_queue_full: { status: 429, retryable: true, meaning: 'too many requests of one session are waiting' },
  process_unknown: failed('the installation does not have the process of the run'),
  effect_not_started: failed('no worker claimed the effect in time', true),
  effect_timed_out: failed('the effect did not finish in time', true),
  approval_expired: failed('the approval was not decided in time'),
  signal_timeout: failed('the signal did not arrive in time'),
  hook_runner_missing: invalid('the process called a hook, and the run has no runner for it'),
  hook_failed: failed('a script of a hook failed'),
  child_too_deep: invalid('the maximum depth of child runs is exceeded'),
  question_expired: failed('the question of an executor was not answered in time'),
  plan_rejected: invalid('the workspace does not compile'),
  agent_unknown: invalid('the workspace has no agent with this id'),
  verdict_missing: failed('an evaluate stage ended without a verdict'),
  budget_exceeded: failed('a model call does not fit into the budget of the run'),
  pipeline_budget_spent: failed('the evaluation still fails after the last iteration'),
  runtime_missing: unavailable('no healthy host offers a runtime that the request or the profile names'),

  // store
  event_unstorable: invalid('the read model cannot store an event'),

  // gateway
  approval_not_found: { status: 404, retryable: false, meaning: 'the request has no such approval' },
  media_type_unsupported: { status: 415, retryable: false, meaning: 'the media type of the body is not supported' },
});

export type ErrorCode = keyof typeof ERROR_CODES;
