import { describe, expect, test } from '@jest/globals';
import { type CompiledWorkspaceRuntimePlan, compileWorkspace, planOfAgent } from './index.ts';

function planOf(files: Record<string, string>): CompiledWorkspaceRuntimePlan {
  const workspaceYaml = files['workspace.yaml'] ?? null;
  const result = compileWorkspace({ workspaceId: 'ws', workspaceYaml, references: {}, files });
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
  return result.plan;
}

const idsOf = ({ general_config: config }: CompiledWorkspaceRuntimePlan): readonly string[] =>
  config.type === 'team' ? [config.coordinator.id, ...config.members.map(({ id }) => id)] : [config.agent.id];

const agent = (name: string, spec: string): string =>
  `kind: Agent\nmetadata: {name: ${name}}\nspec: {model: m, ${spec}}\n`;

const inventory = (runtime = ''): CompiledWorkspaceRuntimePlan =>
  planOf({
    'config/all.yaml': [
      `kind: Runtime\nmetadata: {name: r}\nspec: {defaultAgent: lead${runtime}}\n`,
      'kind: Model\nmetadata: {name: m}\nspec: {provider: openai, model: gpt-4o}\n',
      agent('lead', 'backend: pi, subagents: [writer]'),
      agent('writer', 'subagents: [typist]'),
      agent('typist', 'subagents: [writer]'),
      agent('judge', 'backend: codex'),
    ].join('---\n'),
  });

describe('the plan of one agent', () => {
  test.each([
    ['main', ['lead', 'writer', 'typist']],
    ['lead', ['lead', 'writer', 'typist']],
    ['writer', ['writer', 'typist']],
    ['judge', ['judge']],
  ])('%s of an inventory works with its subagents: %j', (agentId, expected) => {
    const plan = planOfAgent(inventory(), agentId);
    expect(idsOf(plan)).toEqual(expected);
    expect(plan.mode).toBe(expected.length > 1 ? 'team' : 'single');
    expect(plan.extensions?.inventory?.agents.map(({ name }) => name).sort()).toEqual([...expected].sort());
  });

  test.each([
    ['main', '', 'pi'],
    ['writer', '', undefined],
    ['judge', '', 'codex'],
    ['judge', ', runtime_profile: {default: openai_chat}', 'openai_chat'],
    ['lead', ', runtime_profile: {default: openai_chat}', 'openai_chat'],
  ])('%s has its own runtime%s: %s', (agentId, runtime, expected) => {
    expect(planOfAgent(inventory(runtime), agentId).extensions?.runtime_profile?.default).toBe(expected);
  });

  test('keeps the runtimes of stages', () => {
    const plan = inventory(', runtime_profile: {stages: {evaluate: openai_chat}}');
    expect(planOfAgent(plan, 'judge').extensions?.runtime_profile).toEqual({
      default: 'codex',
      stages: { evaluate: 'openai_chat' },
    });
  });

  test('in workspace.yaml, the coordinator has the team, and a member works alone', () => {
    const plan = planOf({
      'workspace.yaml':
        'agents: [{id: a, model: x, coordinator: true}, {id: b, model: y}]\nmcp_registry: {servers: {}}\n',
    });
    expect(planOfAgent(plan, 'main')).toBe(plan);
    expect(planOfAgent(plan, 'a')).toBe(plan);
    expect(planOfAgent(plan, 'b').general_config).toMatchObject({ type: 'single', agent: { id: 'b', model: 'y' } });
  });

  test('names the agents that exist', () => {
    expect(() => planOfAgent(inventory(), 'other')).toThrow(
      expect.objectContaining({
        code: 'agent_unknown',
        path: 'agentId',
        hint: 'Use one of: lead, writer, typist, judge.',
      }),
    );
  });
});
