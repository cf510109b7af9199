import type { HarnessCapabilities } from '../harness.ts';
import type { CompiledWorkspaceRuntimePlan } from '../plan.ts';
import type { Installation, PrepareStageInput } from '../prepare/input.ts';

/** Test inputs: a small workspace on an installation with one provider. */
export const HARNESS: HarnessCapabilities = {
  modelClient: 'required',
  structuredOutput: true,
  mcpTools: true,
  skills: true,
  commands: true,
  browserTools: true,
  runtimeTools: true,
  waitingUser: true,
  images: true,
};

export const INSTALLATION: Installation = {
  sandboxId: 'sandbox-1',
  environmentNames: new Set(['FOO']),
  providers: {
    providers: [
      {
        id: 'openai',
        kind: 'openai_compatible',
        base_url: 'https://api.openai.example/v1',
        api_key: { env: 'OPENAI_API_KEY' },
      },
    ],
    default_provider_id: 'openai',
  },
};

export function planOf(overrides: Partial<CompiledWorkspaceRuntimePlan> = {}): CompiledWorkspaceRuntimePlan {
  return {
    workspace_id: 'ws-1',
    mode: 'single',
    general_config: {
      type: 'single',
      agent: {
        id: 'workspace.general',
        model: 'gpt-4o',
        prompt: '',
        config_path: 'agents',
        role: null,
        schema_id: null,
        schema_module_path: null,
      },
    },
    schema_aliases: {},
    resolved_prompts: { 'workspace.general': 'You keep the notes of this team.' },
    resolved_mcp_servers: [],
    resolved_mcp_tool_refs: [],
    workspace_mcp_catalog: [],
    config_checksum: 'c'.repeat(64),
    resolved_applications: [],
    mcp_tool_allowlist: [],
    ...overrides,
  };
}

export function inputOf(overrides: Partial<PrepareStageInput> = {}): PrepareStageInput {
  return {
    plan: planOf(),
    request: { workspaceId: 'ws-1', sessionId: 'session-1', requestId: 'request-1' },
    installation: INSTALLATION,
    stage: 'execute',
    iteration: 1,
    runtimeId: 'pi',
    harness: HARNESS,
    instruction: 'List the files',
    ...overrides,
  };
}
