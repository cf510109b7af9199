import { describe, expect, test } from '@jest/globals';
import { schemaFileOf } from '../output/output-format.ts';
import type { PlanMember } from '../plan.ts';
import { inputOf, planOf } from '../testing/inputs.ts';
import { prepareStage, type StepRunner } from './prepare-stage.ts';

describe('teams', () => {
  const { agent } = planOf().general_config as { readonly agent: PlanMember };
  const coordinator = { ...agent, id: 'lead' };
  const members = [{ ...agent, id: 'researcher', role: 'Finds sources' }];
  const team = planOf({
    mode: 'team',
    general_config: { type: 'team', coordinator, members },
    resolved_prompts: { lead: 'We keep notes.', researcher: 'We keep notes.' },
  });

  test('the prompt of a coordinator lists the team members', () => {
    const { system_prompt: prompt } = prepareStage(inputOf({ plan: team })).hostRequest;
    expect(prompt).toContain('You coordinate a team.');
    expect(prompt).toContain('- researcher: Finds sources');
    expect(prepareStage(inputOf()).hostRequest.system_prompt).not.toContain('You coordinate');
  });
});

test('runs every step of a preparation by name and in order, even after a failure', () => {
  const steps: string[] = [];
  const recordStep: StepRunner = (name, step) => {
    steps.push(name);
    return step();
  };
  prepareStage(inputOf(), recordStep);
  expect(steps).toEqual([
    'map_mcp_servers',
    'resolve_model',
    'project_runtime_config',
    'build_harness_host_request',
    'sanitize_turn_request',
  ]);
  const { hostRequest, snapshot } = prepareStage(inputOf(), recordStep);
  expect(hostRequest).toEqual(prepareStage(inputOf()).hostRequest);
  expect(snapshot.contexts.map(({ id, status }) => `${id} ${status}`)).toContain('recalled_memory disabled');
});

test('leaves an output schema module to the host, because only the host may run workspace code', () => {
  const { agent } = planOf().general_config as { readonly agent: PlanMember };
  const plan = planOf({
    general_config: { type: 'single', agent: { ...agent, schema_module_path: 'schemas/out.ts' } },
  });
  const { hostRequest, warnings } = prepareStage(inputOf({ plan }));
  expect(hostRequest).toMatchObject({
    output_format: null,
    output_schema_module: 'schemas/out.ts',
    output_schema_member_id: 'workspace.general',
  });
  expect(warnings).toEqual([]);
  expect(schemaFileOf(plan, 'execute')).toBeNull();
});
