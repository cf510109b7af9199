import { isStage, type Problem, ReinsError, STAGES } from '@reins/contracts';
import type { HostRequest } from './host-request.ts';

type Fields = Readonly<Record<string, unknown>>;

const REQUIRED_TEXTS = [
  'workspace_id',
  'workspace_dir',
  'session_id',
  'input_id',
  'runtime_id',
  'workspace_config_checksum',
] as const;

/** Defaults of the optional fields. */
const DEFAULTS: Fields = {
  session_kind: 'workspace_session',
  user_id: null,
  actor: null,
  input_tree: null,
  context_messages: [],
  continued_context_messages: null,
  system_prompt: '',
  attachments: [],
  thinking_value: null,
  debug: false,
  harness_session_id: null,
  provider_id: null,
  model_id: null,
  model_client: null,
  runtime_api_base_url: null,
  browser_tools_enabled: false,
  browser_space: null,
  tools: {},
  gated_tools: [],
  granted_tools: [],
  required_servers: [],
  quoted_skill_ids: [],
  workspace_skill_dirs: [],
  skills: [],
  mcp_servers: [],
  mcp_tool_refs: [],
  workspace_tools: null,
  applications: [],
  output_schema_member_id: null,
  output_format: null,
  output_schema_module: null,
  artifact_globs: [],
  workspace_boundary_override: false,
};

/**
 * Validates an untrusted host request and fills in the defaults. Used by hosts, and to send a stored request again.
 * @throws ReinsError `host_request_invalid` with all problems
 */
export function decodeHostRequest(value: unknown): HostRequest {
  if (!isMapping(value)) throw new ReinsError(problem('', 'a host request must be an object'));
  const problems = [
    ...REQUIRED_TEXTS.filter((field) => !isText(value[field])).map(required),
    ...instructionProblems(value),
    ...stageProblems(value),
    ...modelProblems(value),
    ...listProblems(value),
    ...choiceProblems(value),
  ];
  if (problems.length > 0) throw new ReinsError(problems);
  const present = Object.fromEntries(
    Object.entries(value).filter(([, member]) => member !== undefined && member !== null),
  );
  // Every member of the type is validated above or has a default.
  return { ...DEFAULTS, ...present } as unknown as HostRequest;
}

function instructionProblems(value: Fields): readonly Problem[] {
  const attached = Array.isArray(value.attachments) && value.attachments.length > 0;
  if (typeof value.instruction === 'string' && (attached || value.instruction.trim() !== '')) return [];
  return [required('instruction')];
}

function stageProblems(value: Fields): readonly Problem[] {
  return [
    ...(isStage(value.stage) ? [] : [problem('stage', `stage must be one of ${STAGES.join(', ')}`)]),
    ...(['iteration', 'timeout_seconds'] as const)
      .filter((field) => !Number.isInteger(value[field]))
      .map((field) => problem(field, `${field} must be an integer`)),
  ];
}

function modelProblems(value: Fields): readonly Problem[] {
  const client = value.model_client;
  if (client === undefined || client === null) return [];
  if (!isMapping(client)) return [problem('model_client', 'model_client must be an object')];
  return [
    ...(isText(client.model_proxy_provider) ? [] : [required('model_client.model_proxy_provider')]),
    ...(['provider_id', 'model_id'] as const).filter((field) => !isText(value[field])).map(required),
  ];
}

const LISTS = [
  'context_messages',
  'continued_context_messages',
  'attachments',
  'mcp_servers',
  'mcp_tool_refs',
  'workspace_skill_dirs',
  'skills',
  'applications',
];
const REF_FIELDS = ['tool_id', 'server_id', 'tool_name'];

function listProblems(value: Fields): readonly Problem[] {
  const wrong = LISTS.filter((field) => (value[field] ?? undefined) !== undefined && !Array.isArray(value[field]));
  const refs = Array.isArray(value.mcp_tool_refs) ? (value.mcp_tool_refs as unknown[]) : [];
  return [
    ...wrong.map((field) => problem(field, `${field} must be a list`)),
    ...refs.flatMap((ref, index) =>
      REF_FIELDS.filter((field) => !isMapping(ref) || !isText(ref[field])).map((field) =>
        required(`mcp_tool_refs[${index}].${field}`),
      ),
    ),
  ];
}

function choiceProblems(value: Fields): readonly Problem[] {
  const prompt = value.system_prompt;
  const space = value.browser_space;
  return [
    ...(prompt === undefined || prompt === null || typeof prompt === 'string'
      ? []
      : [problem('system_prompt', 'system_prompt must be a string')]),
    ...(space === undefined || space === null || space === 'agent' || space === 'user'
      ? []
      : [problem('browser_space', 'browser_space must be agent, user or null')]),
    ...(isMapping(value.run_started_payload)
      ? []
      : [problem('run_started_payload', 'run_started_payload must be an object')]),
  ];
}

function isMapping(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

function required(path: string): Problem {
  return problem(path, `${path} is required`);
}

function problem(path: string, message: string): Problem {
  return path === '' ? { code: 'host_request_invalid', message } : { code: 'host_request_invalid', message, path };
}
