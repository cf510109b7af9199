import { describe, expect, test } from '@jest/globals';
import { compile, EMPTY_REGISTRY, planOf, refusalOf } from '../testing/workspaces.ts';

const team = (agents: string): string => `agents:\n${agents}${EMPTY_REGISTRY}`;
const LEAD = '  - {id: lead, model: m, coordinator: true}\n';

describe('teams', () => {
  test('has a coordinator and members, all with the prompt of the workspace', () => {
    const plan = planOf(compile(team(`  - {id: helper, model: n, role: r}\n${LEAD}`), { 'AGENTS.md': 'P' }));
    expect(plan).toMatchObject({
      mode: 'team',
      general_config: {
        type: 'team',
        coordinator: { id: 'lead', prompt: 'P', config_path: 'agents[1]' },
        members: [{ id: 'helper', model: 'n', role: 'r', prompt: 'P' }],
      },
      resolved_prompts: { lead: 'P', helper: 'P' },
    });
  });

  test('rejects a list without a coordinator', () => {
    const refusal = refusalOf(compile(team('  - {id: a, model: m}\n  - {id: b, model: m}\n')));
    const { error } = refusal;
    expect(error).toMatchObject({ code: 'workspace_general_missing', path: 'agents' });
    expect(refusal.diagnostics[0]?.hint).toContain('coordinator: true');
  });

  test.each([
    ['two coordinators', `${LEAD}  - {id: b, model: m, coordinator: true}\n`, 'agents[1].coordinator'],
    ['no members', LEAD, 'agents'],
    ['a duplicate id', `${LEAD}  - {id: lead, model: m}\n`, 'agents[1].id'],
    ['an entry that is not a mapping', `${LEAD}  - helper\n`, 'agents[1]'],
    ['an entry without a model', `${LEAD}  - {id: b}\n`, 'agents[1].model'],
  ])('rejects a team with %s', (_, agents, path) => {
    expect(refusalOf(compile(team(agents))).error.path).toBe(path);
  });

  test('gives a hint for a second coordinator', () => {
    const second = `${LEAD}  - {id: b, model: m, coordinator: true}\n`;
    expect(refusalOf(compile(team(second))).error.hint).toBe('set coordinator: true for one agent only');
  });
});
