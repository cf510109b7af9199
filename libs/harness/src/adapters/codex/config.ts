import type { JsonObject } from '@reins/contracts';
import type { HarnessRun } from '../../contract.ts';

/** The name of the run's endpoint in the configuration of Codex. */
export const PROVIDER = 'reins';
/** The variable with the key of the model. */
export const KEY_VARIABLE = 'REINS_MODEL_KEY';
const MODEL_HEADER = 'REINS_MODEL_HEADER';
const TOOLS_HEADER = 'REINS_TOOLS_HEADER';
const DEFAULT_RETRIES = 2;

/** Features with tools that a run does not have, with calls to other addresses, or with files of other programs. */
const FEATURES_OFF = [
  ...['apps', 'auth_elicitation', 'browser_use', 'computer_use', 'daemon_auto_start', 'enable_request_compression'],
  ...['goals', 'guardian_approval', 'hooks', 'image_generation', 'in_app_browser', 'memories', 'plugin_sharing'],
  ...['plugins', 'remote_plugin', 'shell_snapshot', 'skill_mcp_dependency_install', 'skill_search', 'sleep_tool'],
  ...['tool_call_mcp_elicitation', 'tool_suggest', 'unbounded_connection_retries', 'view_image'],
  'workspace_dependencies',
];

/** What Codex reads of the machine and sends to others: nothing. */
const FIXED: JsonObject = {
  model_provider: PROVIDER,
  check_for_update_on_startup: false,
  web_search: 'disabled',
  project_doc_max_bytes: 0,
  allow_login_shell: false,
  include_permissions_instructions: false,
  // It has the random folder of the run, so no two runs would share a cached prefix.
  include_environment_context: false,
  analytics: { enabled: false },
  feedback: { enabled: false },
  history: { persistence: 'none' },
  agents: { enabled: false },
  skills: { include_instructions: false, bundled: { enabled: false } },
  tools: { experimental_request_user_input: { enabled: false } },
  features: Object.fromEntries(FEATURES_OFF.map((name) => [name, false])),
};

/** A value that may be secret, and the variable that passes it. */
interface SecretHeader {
  readonly name: string;
  readonly value: string;
  readonly variable: string;
}

/** The members of `config.toml` for a run. They contain no secrets: the variables of `secretVariables` have them. */
export function codexConfig(run: HarnessRun, catalogueFile: string): JsonObject {
  const { endpoint, deadlines, environment } = run;
  const retries = numberOr(environment.settings.retries, DEFAULT_RETRIES);
  return {
    ...FIXED,
    model_catalog_json: catalogueFile,
    model_providers: {
      [PROVIDER]: {
        name: PROVIDER,
        base_url: endpoint.baseUrl,
        wire_api: 'responses',
        env_key: KEY_VARIABLE,
        env_http_headers: headersTable(modelHeaders(run)),
        request_max_retries: retries,
        stream_max_retries: retries,
        stream_idle_timeout_ms: deadlines.totalMs,
      },
    },
    shell_environment_policy: {
      inherit: 'all',
      ignore_default_excludes: true,
      exclude: [KEY_VARIABLE, `${MODEL_HEADER}_*`, `${TOOLS_HEADER}_*`, 'CODEX_HOME'],
    },
    mcp_servers: Object.fromEntries(
      run.mcpServers.map((_, index) => [serverName(run, index), serverTable(run, index)]),
    ),
  };
}

/** The variables with the secrets of a run. Shell commands of Codex do not get them. */
export function secretVariables(run: HarnessRun): Record<string, string> {
  const headers = [...modelHeaders(run), ...run.mcpServers.flatMap((_, index) => toolHeaders(run, index))];
  return {
    // Codex refuses to start a turn with an empty key.
    [KEY_VARIABLE]: run.endpoint.apiKey || 'none',
    ...Object.fromEntries(headers.map(({ variable, value }) => [variable, value])),
  };
}

/** The name of a server of tools. The model sees it as the namespace `mcp__<name>`. */
const serverName = ({ mcpServers }: HarnessRun, index: number): string => {
  const name = (mcpServers[index]?.serverId ?? '').replace(/[^\w-]/g, '_');
  return mcpServers.findIndex(({ serverId }) => serverId === mcpServers[index]?.serverId) === index
    ? name
    : `${name}_${index}`;
};

function serverTable(run: HarnessRun, index: number): JsonObject {
  const { url = '', tools = [] } = run.mcpServers[index] ?? {};
  return {
    url,
    env_http_headers: headersTable(toolHeaders(run, index)),
    enabled_tools: tools.map(({ name }) => name),
    // The gateway has decided: what it serves is allowed.
    default_tools_approval_mode: 'approve',
    required: true,
    tool_timeout_sec: Math.ceil(run.deadlines.totalMs / 1000),
  };
}

const modelHeaders = ({ endpoint }: HarnessRun): SecretHeader[] => headersOf(endpoint.headers ?? {}, MODEL_HEADER);

const toolHeaders = ({ mcpServers }: HarnessRun, index: number): SecretHeader[] =>
  headersOf(mcpServers[index]?.headers ?? {}, `${TOOLS_HEADER}_${index}`);

const headersOf = (headers: Readonly<Record<string, string>>, prefix: string): SecretHeader[] =>
  Object.entries(headers).map(([name, value], index) => ({ name, value, variable: `${prefix}_${index}` }));

const headersTable = (headers: readonly SecretHeader[]): JsonObject =>
  Object.fromEntries(headers.map(({ name, variable }) => [name, variable]));

const numberOr = (value: unknown, fallback: number): number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : fallback;
