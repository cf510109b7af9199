import type { PlanMember } from '../plan.ts';
import { PROMPT_FILE } from '../references.ts';
import type { Scope } from './scope.ts';
import { isMapping, type Mapping, own, type Path, text } from './values.ts';

const MISSING_HINT =
  "set 'agents' to an object with non-empty 'id' and 'model'; workspace instructions come from root 'AGENTS.md' when present";
const FIELDS_HINT = "set 'agents' to an object with non-empty 'id' and 'model'";

/** The agents of a plan: one, or a team. */
export interface Agents {
  readonly coordinator: PlanMember;
  readonly members: readonly PlanMember[] | undefined;
}

/** Reads `agents`. Every field is checked, whatever is wrong with the others. */
export function compileAgents(scope: Scope): Agents | undefined {
  const agents = own(scope.root, 'agents');
  if (!isMapping(agents)) {
    scope.report.error({
      code: 'workspace_general_missing',
      at: { path: ['agents'], key: true },
      message: "missing object field 'agents'",
      hint: MISSING_HINT,
    });
    return undefined;
  }
  if (!Object.hasOwn(agents, 'id') || !Object.hasOwn(agents, 'model')) {
    scope.report.error({
      code: 'workspace_general_missing',
      at: { path: ['agents'], key: true },
      message: "missing required fields 'agents.id' and 'agents.model'",
      hint: FIELDS_HINT,
    });
    return undefined;
  }
  const coordinator = readMember(scope, agents, ['agents']);
  return coordinator && { coordinator, members: undefined };
}

/** One agent: a mapping that has `id` and `model`. */
export function readMember(scope: Scope, agent: Mapping, path: Path): PlanMember | undefined {
  const id = requiredText(scope, agent, path, 'id');
  const model = requiredText(scope, agent, path, 'model');
  if (Object.hasOwn(agent, 'prompt')) {
    scope.report.error({
      code: 'workspace_prompt_inline_not_allowed',
      at: { path: [...path, 'prompt'], key: true },
      message: 'inline prompt content is not allowed; use AGENTS.md',
    });
  }
  const role = optionalText(scope, agent, path, 'role');
  const schemaId = optionalText(scope, agent, path, 'schema_id');
  const schemaModule = optionalText(scope, agent, path, 'schema_module_path');
  if (schemaId && schemaModule) {
    scope.report.error({
      code: 'workspace_schema_field_conflict',
      at: { path, key: true },
      message: "use only one of 'schema_id' or 'schema_module_path'",
      hint: 'remove one schema field from this member',
    });
  }
  if (!id || !model) return undefined;
  return {
    id,
    model,
    prompt: promptOf(scope),
    config_path: 'agents',
    role: role ?? null,
    schema_id: schemaId ?? null,
    schema_module_path: schemaModule ?? null,
  };
}

function promptOf(scope: Scope): string {
  return Object.hasOwn(scope.references, PROMPT_FILE) ? (scope.references[PROMPT_FILE] ?? '') : '';
}

function requiredText(scope: Scope, agent: Mapping, path: Path, field: string): string | undefined {
  const value = text(own(agent, field));
  if (value === undefined) {
    scope.report.error({
      code: 'workspace_agent_field_invalid',
      at: { path: [...path, field] },
      message: `expected non-empty string field '${field}'`,
    });
  }
  return value;
}

function optionalText(scope: Scope, agent: Mapping, path: Path, field: string): string | undefined {
  const raw = own(agent, field);
  if (raw === undefined || raw === null) return undefined;
  const value = text(raw);
  if (value === undefined) {
    scope.report.error({
      code: 'workspace_agent_field_invalid',
      at: { path: [...path, field] },
      message: `expected non-empty string field '${field}' when provided`,
    });
  }
  return value;
}
